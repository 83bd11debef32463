//! Agreement of ranks before a run: all run the one program, or none does.

use super::error::Refusal;
use super::program::FIRST;
use super::{Communicator, RankError, broadcast};
use crate::call::Prepared;
use crate::kernel::Kernel;
use crate::program::Program;

/// Program that a rank can run, with memory for its processor, if it has one.
pub(super) type Able<'p, K> = (&'p Program<K>, Option<<K as Kernel>::Memory>);

/// Returns the program if so many ranks can run it.
pub(super) fn able<K: Kernel>(
    prepared: &Prepared<K>,
    ranks: usize,
) -> Result<&Program<K>, Refusal> {
    let kernel = K::NAME;
    if let Some(name) = K::differs() {
        return Err(Refusal::Differs { kernel, name });
    }
    let program = prepared.program().ok_or(Refusal::NotBuilt { kernel })?;
    let tables = program.tables();
    let processors = tables.processors();
    if processors > ranks {
        return Err(Refusal::TooFew {
            kernel,
            processors,
            ranks,
        });
    }
    let shares = tables.plan.shared.contains(&true) || !tables.plan.precedences.is_empty();
    if processors > 1 && shares {
        return Err(Refusal::Shared { kernel });
    }
    let mut packet = K::Packet::default();
    K::streams(&mut packet, &mut |_| {}).map_err(|element| Refusal::Element { kernel, element })?;
    Ok(program)
}

/// Agrees on one program that all ranks can run; aborts where ranks no longer hear each other.
pub(super) fn agree<'p, K: Kernel>(
    able: Result<Able<'p, K>, Refusal>,
    digest: impl FnOnce(&Program<K>) -> u64,
    ranks: &mut dyn Communicator,
) -> Result<Able<'p, K>, RankError> {
    let another = Refusal::Another { kernel: K::NAME };
    agree_on(able, |(program, _)| digest(program), &another, ranks)
}

/// Agrees on what all ranks can run, by its digest. `another` is what is said of a rank with
/// another digest than rank 0.
pub(crate) fn agree_on<A>(
    able: Result<A, Refusal>,
    digest: impl FnOnce(&A) -> u64,
    another: &Refusal,
    ranks: &mut dyn Communicator,
) -> Result<A, RankError> {
    let agreed = compare(able, digest, another, ranks);
    agreed.inspect_err(|error| {
        // All have refused, or else the others would wait.
        if !matches!(error, RankError::Refused { .. }) {
            ranks.abort(error);
        }
    })
}

/// Compares what all ranks are able to run. Returns this rank's if all are one.
fn compare<A>(
    able: Result<A, Refusal>,
    digest: impl FnOnce(&A) -> u64,
    another: &Refusal,
    ranks: &mut dyn Communicator,
) -> Result<A, RankError> {
    // A rank says its digest, or why it cannot run.
    let own = match &able {
        Ok(able) => Ok(digest(able)),
        Err(refusal) => Err(refusal.to_string()),
    };
    let (rank, size) = (ranks.rank(), ranks.size());
    if rank != FIRST {
        let mut said = ranks.buffer();
        match &own {
            Ok(digest) => {
                said.push(0);
                said.extend_from_slice(&digest.to_le_bytes());
            }
            Err(refusal) => {
                said.push(1);
                said.extend_from_slice(refusal.as_bytes());
            }
        }
        ranks.send(FIRST, said)?;
    }
    let mut verdict = own.as_ref().err().map(|refusal| (FIRST, refusal.clone()));
    for from in (1..size).filter(|_| rank == FIRST) {
        let said = ranks.receive(from)?;
        let refusal = match said.split_first() {
            Some((0, digest)) => {
                let is_other = own.as_ref().is_ok_and(|own| own.to_le_bytes() != digest);
                is_other.then(|| another.to_string())
            }
            Some((_, refusal)) => Some(String::from_utf8_lossy(refusal).into_owned()),
            None => return Err(RankError::Malformed { from }),
        };
        verdict = verdict.or(refusal.map(|refusal| (from, refusal)));
        ranks.reuse(said);
    }
    let told = verdict.map_or(Vec::new(), |(rank, refusal)| {
        [&(rank as u64).to_le_bytes()[..], refusal.as_bytes()].concat()
    });
    let told = broadcast(ranks, told)?;
    let agreed = match (told.split_first_chunk(), able) {
        (Some((rank, message)), _) => Err(RankError::Refused {
            rank: u64::from_le_bytes(*rank) as usize,
            message: String::from_utf8_lossy(message).into_owned(),
        }),
        (None, Ok(able)) => Ok(able),
        (None, Err(_)) => Err(RankError::Malformed { from: FIRST }),
    };
    ranks.reuse(told);
    agreed
}
