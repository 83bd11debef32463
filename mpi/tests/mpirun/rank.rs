//! Tasks of a rank, each a check that `mpirun` starts by name.

use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use mpi::traits::{Communicator as _, CommunicatorCollectives as _};
use superstep::ranks::{Communicator, Distributed, Inputs, Over, Results};
use superstep::reduce::{self, Tree};
use superstep_mpi::Mpi;
use superstep_mpi_kernels::{Case, CaseError, Way, lu, roots};

/// Line that a rank prints when it has done its task.
pub(crate) const PASSED: &str = "this rank has passed";

pub(crate) fn run(task: &str) -> ExitCode {
    let done = match task {
        "kernels" => kernels(),
        "plans" => plans(),
        "loses" => loses(),
        "sums" => sums(),
        "naive" => naive(),
        "pieces" => pieces(),
        "buffers" => buffers(),
        "split" => split(),
        "another" => another(),
        "panics" => panics(),
        "unwinds" => unwinds(),
        "dies" => dies(),
        "ends" => ends(),
        "stops" => stops(),
        "late" => late(),
        "hosts" => hosts(),
        "page" => crate::page::main(),
        "invalid" => invalid(),
        "measure" => crate::measured::run(&crate::measured::Sizes::SMALL),
        _ => Err(format!("no task `{task}`").into()),
    };
    match done {
        Ok(()) => {
            println!("{PASSED}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            // As one write: ranks share the pipe.
            let line = format!("{error}\n");
            eprint!("{line}");
            // `mpirun` ends the others as soon as one has failed: they are to say so before.
            std::thread::sleep(Duration::from_millis(300));
            ExitCode::FAILURE
        }
    }
}

/// Runs a case; an error if its bits are others.
fn case(case: Case, ranks: &mut Mpi, way: Way) -> Result<(), CaseError> {
    match case.run(ranks, way)? {
        true => Ok(()),
        false => Err(format!("{}: other bits, {way:?}", case.name()).into()),
    }
}

fn kernels() -> Result<(), CaseError> {
    let mut ranks = Mpi::world()?;
    for (inputs, results) in [
        (Inputs::First, Results::First),
        (Inputs::First, Results::Each),
        (Inputs::Each, Results::Each),
    ] {
        let way = Way {
            inputs,
            results,
            loses: false,
        };
        for each in Case::ALL {
            case(each, &mut ranks, way)?;
        }
    }
    for each in Case::ALL {
        if !each.is_same_in_parts(&mut ranks, false)? {
            return Err(format!("{}: other bits by parts", each.name()).into());
        }
    }
    Ok(())
}

fn plans() -> Result<(), CaseError> {
    superstep_mpi_plans::check(&mut Mpi::world()?)
}

fn loses() -> Result<(), CaseError> {
    let way = Way {
        loses: true,
        ..Way::default()
    };
    case(Case::Lu, &mut Mpi::world()?, way)
}

/// Bytes that each rank sends to the next one.
pub(crate) const SENT: usize = 1 << 20;

/// Tells where it is, sends much to the next rank, and runs LU.
fn hosts() -> Result<(), CaseError> {
    let mut ranks = Mpi::world()?;
    let (rank, size) = (ranks.rank(), ranks.size());
    println!("on {}", mpi::environment::processor_name()?);
    ranks.send((rank + 1) % size, vec![rank as u8; SENT])?;
    let from = (rank + size - 1) % size;
    if ranks.receive(from)? != vec![from as u8; SENT] {
        return Err("a message has other bits".into());
    }
    for inputs in [Inputs::First, Inputs::Each] {
        let way = Way {
            inputs,
            ..Way::default()
        };
        case(Case::Lu, &mut ranks, way)?;
    }
    Ok(())
}

/// Words whose sum depends on the order in which they are added.
fn rough(count: usize) -> Vec<f64> {
    let word = |i: usize| (1.0 + i as f64).sin() * f64::from(1u32 << (i % 29));
    (0..count).map(word).collect()
}

/// Returns this rank's range: uneven, and empty for some.
fn own(ranks: &Mpi, count: usize) -> std::ops::Range<usize> {
    let end = |rank: usize| match rank {
        0 => 0,
        _ if rank == ranks.size() => count,
        // The first rank has little, and the third nothing.
        1 => count / 100,
        2 | 3 => count / 3,
        _ => count / 3 + (count - count / 3) * (rank - 3) / (ranks.size() - 3),
    };
    end(ranks.rank())..end(ranks.rank() + 1)
}

fn sums() -> Result<(), CaseError> {
    let mut ranks = Mpi::world()?;
    for count in [0, 1, 7, 1000, 100_003] {
        let all: Arc<[f64]> = rough(count).into();
        let tree = Tree::fixed(count, 1);
        let expected = (reduce::sum(&tree, &all)?, reduce::dot(&tree, &all, &all)?);
        let (words, one) = (Arc::clone(&all), tree.clone());
        let scan = reduce::run(1, move |member| {
            member.inclusive_scan(&one, |i| words[i], |a, b| a + b)
        })?;
        let range = own(&ranks, count);
        let x = Distributed::new(&mut ranks, &all[range.clone()])?;
        if x.inclusive_scan(&mut ranks, |a, b| a + b)? != scan[0][range] {
            return Err(format!("a scan of {count} words").into());
        }
        for threads in [1, 2] {
            let own = own(&ranks, count);
            let x = Distributed::new(&mut ranks, &all[own])?.threads(threads);
            let found = (x.sum(&mut ranks)?, x.dot(&x, &mut ranks)?);
            let bits =
                |(a, b): (Option<f64>, Option<f64>)| (a.map(f64::to_bits), b.map(f64::to_bits));
            if bits(found) != bits(expected) {
                return Err(format!("{count} words: {found:?}, not {expected:?}").into());
            }
        }
    }
    Ok(())
}

/// Sums as `MPI_Allreduce` does, which has other bits: these tests would notice.
fn naive() -> Result<(), CaseError> {
    let _ranks = Mpi::world()?;
    let world = mpi::topology::SimpleCommunicator::world();
    let all = rough(100_003);
    let (rank, size) = (world.rank() as usize, world.size() as usize);
    let share = all.len() / size;
    let own: f64 = all[rank * share..][..share].iter().sum();
    let mut sum = 0.0;
    world.all_reduce_into(&own, &mut sum, mpi::collective::SystemOperation::sum());
    let rest = &all[size * share..];
    let sum = rest.iter().fold(sum, |sum, word| sum + word);
    let fixed = reduce::sum(&Tree::fixed(all.len(), 1), &all.into())?;
    match fixed.map(f64::to_bits) == Some(sum.to_bits()) {
        true => Ok(()),
        false => Err("another sum".into()),
    }
}

fn pieces() -> Result<(), CaseError> {
    let mut ranks = Mpi::world()?.pieces_of(1000);
    let (rank, size) = (ranks.rank(), ranks.size());
    let message = |length: usize| -> Vec<u8> { (0..length).map(|i| (i % 251) as u8).collect() };
    for length in [0, 1, 999, 1000, 1001, 2000, 123_456] {
        ranks.send((rank + 1) % size, message(length))?;
        ranks.send((rank + 1) % size, message(3))?;
        let from = (rank + size - 1) % size;
        if ranks.receive(from)? != message(length) || ranks.receive(from)? != message(3) {
            return Err(format!("a message of {length} bytes").into());
        }
    }
    let mut ranks = ranks.pieces_of(16);
    case(Case::Lu, &mut ranks, Way::default())
}

/// The buffer of a message comes back, empty, once it has left and once it was read.
fn buffers() -> Result<(), CaseError> {
    const LONG: usize = 100_000;
    let mut ranks = Mpi::world()?;
    let other = 1 - ranks.rank();
    ranks.send(other, vec![7; LONG])?;
    let received = ranks.receive(other)?;
    ranks.flush()?;
    let again = |ranks: &mut Mpi| {
        let buffer = ranks.buffer();
        buffer.is_empty() && buffer.capacity() >= LONG
    };
    if !again(&mut ranks) {
        return Err("a sent buffer has not come back".into());
    }
    ranks.reuse(received);
    match again(&mut ranks) {
        true => Ok(()),
        false => Err("a buffer that was read has not come back".into()),
    }
}

/// Two halves of the world run at once, in a program that has initialised MPI itself.
fn split() -> Result<(), CaseError> {
    let universe = mpi::initialize().ok_or("it is initialised")?;
    let world = universe.world();
    let color = mpi::topology::Color::with_value(world.rank() % 2);
    let half = world.split_by_color(color).ok_or("a half")?;
    let mut all = Mpi::over(&world)?;
    let mut ranks = Mpi::over(&half)?;
    assert_eq!((ranks.size(), ranks.rank()), (2, world.rank() as usize / 2));
    // Messages in the world, which are received after those in the half.
    let (rank, size) = (all.rank(), all.size());
    all.send((rank + 1) % size, vec![rank as u8])?;
    for each in [Case::Lu, Case::Fft, Case::Jacobi] {
        case(each, &mut ranks, Way::default())?;
    }
    let from = (rank + size - 1) % size;
    assert_eq!(all.receive(from)?, [from as u8]);
    Ok(())
}

fn another() -> Result<(), CaseError> {
    let mut ranks = Mpi::world()?;
    let with = lu::lu::with().exactly(3).private_memory(true);
    let mut prepared = with.prepare(40)?;
    if ranks.rank() == 1 {
        prepared = prepared.altered(|plan| plan.messages[0].lose(0))?;
    }
    Ok(prepared.run_over(Over::new(&mut ranks), &mut vec![1.0; 1600])?)
}

fn panics() -> Result<(), CaseError> {
    let mut ranks = Mpi::world()?;
    let with = roots::roots::with().exactly(4).private_memory(true);
    let mut x: Vec<f64> = (0..24).map(|i| 12.5 - f64::from(i)).collect();
    Ok(with.prepare(24)?.run_over(Over::new(&mut ranks), &mut x)?)
}

/// One rank panics while others wait for it.
fn unwinds() -> Result<(), CaseError> {
    let mut ranks = Mpi::world()?;
    assert_ne!(ranks.rank(), 1, "out of luck");
    ranks.receive(1)?;
    Ok(())
}

fn dies() -> Result<(), CaseError> {
    let mut ranks = Mpi::world()?;
    if ranks.rank() == 1 {
        signal("KILL");
    }
    ranks.receive(1)?;
    Ok(())
}

fn ends() -> Result<(), CaseError> {
    let mut ranks = Mpi::world()?;
    if ranks.rank() != 1 {
        ranks.receive(1)?;
    }
    Ok(())
}

fn stops() -> Result<(), CaseError> {
    let mut ranks = Mpi::world()?.deadline(Duration::from_secs(2));
    if ranks.rank() == 1 {
        signal("STOP");
    }
    Distributed::new(&mut ranks, vec![1.0])?.sum(&mut ranks)?;
    Ok(())
}

/// A rank that has more to do than others ends late: no deadline is for that.
fn late() -> Result<(), CaseError> {
    let ranks = Mpi::world()?.deadline(Duration::from_millis(300));
    if ranks.rank() == 1 {
        std::thread::sleep(Duration::from_millis(1500));
    }
    Ok(())
}

fn invalid() -> Result<(), CaseError> {
    let mut ranks = Mpi::world()?;
    let beyond = ranks.size();
    let sent = ranks.send(beyond, vec![1]);
    Ok(sent?)
}

/// Sends a signal to this process.
fn signal(name: &str) {
    let process = std::process::id().to_string();
    let sent = Command::new("kill").args(["-s", name, &process]).status();
    assert!(sent.is_ok_and(|status| status.success()), "`kill` is there");
}
