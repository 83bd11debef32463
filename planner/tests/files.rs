//! Plan files give back what was saved, and refuse all else with the reason.

mod support;

use std::sync::Arc;

use proptest::prelude::*;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use superstep_planner::file::{DecodeError, Digest, Identity, decode, encode, read};
use superstep_planner::{
    Algorithm, Candidate, Costs, Graph, Order, Plan, Report, Rows, Wait, Windows, Within, choose,
    doacross, grow_local, prove,
};
use support::{Kernel, Pattern};

fn digest(words: &[u64]) -> Digest {
    let mut digest = Digest::default();
    for word in words {
        digest.bytes(&word.to_le_bytes());
    }
    digest
}

fn identity(n: usize, row: &[u64], col: &[u64]) -> Identity {
    let mut identity = Identity::new("solve", "0123abcd");
    identity.scalar("n", &n);
    identity.structure("row", row.len(), &digest(row));
    identity.structure("col", col.len(), &digest(col));
    identity
}

fn some_identity() -> Identity {
    identity(3, &[0, 1, 2, 4], &[0, 1, 0, 2])
}

/// Makes a small plan with something of everything.
fn some_plan() -> (Plan, Report) {
    let random = &mut Pcg64Mcg::seed_from_u64(3);
    let kernel = Kernel::family(0, Pattern::family(5, 30, random), random);
    let costs = Costs {
        least: 1.0,
        wait: 1.0,
        chunk: 1.0,
        ..Costs::default()
    };
    let graph = Graph::new(&kernel, &costs).expect("a good kernel");
    let windows = Windows {
        grains: 4,
        chunks: 2,
        within: Within::Levels,
    };
    let (_, mut report) = choose(&graph, 2, &costs).expect("processors");
    let algorithms = [
        Algorithm::Doacross(windows),
        Algorithm::Doacross(Windows {
            within: Within::Run,
            ..windows
        }),
        Algorithm::Levels,
        Algorithm::GrowLocal,
        Algorithm::Pipeline,
        Algorithm::Owners(8),
        Algorithm::Farm,
    ];
    report
        .candidates
        .extend(algorithms.map(|algorithm| Candidate {
            algorithm,
            ratio: 0.625,
            loaded: 0.5,
            chunks: 300,
            waits: 7,
        }));
    report.chosen = report.candidates.len() - 1;
    let plan = doacross(&graph, 2, windows);
    assert!(plan.order.waits.items.len() > 2 && prove(&kernel, plan.clone()).is_ok());
    (plan, report)
}

/// Makes a plan and a report without anything that is searched for, so that their bytes stay.
fn written_down() -> (Plan, Report) {
    let windows = |within| {
        Algorithm::Doacross(Windows {
            grains: 300,
            chunks: 2,
            within,
        })
    };
    let algorithms = [
        Algorithm::Sequential,
        Algorithm::GrowLocal,
        windows(Within::Run),
        windows(Within::Levels),
        Algorithm::Owners(8),
        Algorithm::Farm,
    ];
    let candidate = |algorithm| Candidate {
        algorithm,
        ratio: 0.75,
        loaded: 0.5,
        chunks: 3,
        waits: 1,
    };
    let report = Report {
        level: 1,
        iterations: 6,
        grains: 3,
        edges: 2,
        levels: 2,
        parallelism: 1.5,
        processors: 2,
        nanoseconds: 100.0,
        candidates: algorithms.map(candidate).to_vec(),
        chosen: 1,
        scratch: Vec::new(),
        outside: Vec::new(),
        others: Vec::new(),
        unpaid: None,
        measured: None,
    };
    let wait = Wait {
        processor: 0,
        steps: 1,
    };
    let plan = Plan {
        boundaries: [0, 2, 4, 6].into(),
        order: Arc::new(Order {
            processors: vec![0, 2, 3],
            waits: Rows {
                offsets: vec![0, 0, 0, 1],
                items: vec![wait],
            },
        }),
        grains: Rows {
            offsets: vec![0, 1, 2, 3],
            items: vec![0, 2, 1],
        },
    };
    (plan, report)
}

fn some_file() -> Vec<u8> {
    let (plan, report) = some_plan();
    encode(&plan, &report, &some_identity())
}

fn refused(bytes: &[u8], identity: &Identity) -> String {
    decode(bytes, identity).expect_err("refused").to_string()
}

/// Makes checksum and length of a file right again.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 16);
    let length = bytes.len() as u64 + 16;
    bytes[12..20].copy_from_slice(&length.to_le_bytes());
    let checksum = Digest::of(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn plans_come_back(
        kind in 0..Kernel::KINDS,
        family in 0..Pattern::FAMILIES,
        n in 1usize..90,
        processors in 1u32..9,
        seed in any::<u64>(),
    ) {
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let kernel = Kernel::family(kind, Pattern::family(family, n, random), random);
        let costs = Costs { least: 12.0, wait: 5.0, ..Costs::default() };
        let graph = Graph::new(&kernel, &costs).expect("a good kernel");
        let (chosen, report) = choose(&graph, processors, &costs).expect("processors");
        for plan in [chosen, grow_local(&graph, processors, &costs)] {
            let bytes = encode(&plan, &report, &some_identity());
            let decoded = decode(&bytes, &some_identity());
            prop_assert_eq!(decoded, Ok((plan, report.clone())));
        }
    }

    #[test]
    fn any_numbers_come_back(
        arrays in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..9), 5),
        waits in prop::collection::vec(any::<[u32; 2]>(), 0..9),
    ) {
        let plan = Plan {
            boundaries: arrays[0].clone().into(),
            order: Arc::new(Order {
                processors: arrays[1].clone(),
                waits: Rows {
                    offsets: arrays[4].clone(),
                    items: waits
                        .iter()
                        .map(|&[processor, steps]| Wait { processor, steps })
                        .collect(),
                },
            }),
            grains: Rows {
                offsets: arrays[2].clone(),
                items: arrays[3].clone(),
            },
        };
        let (_, mut report) = some_plan();
        let processors = plan.order.processors();
        if processors == 0 && !plan.order.is_free() {
            return Ok(());
        }
        report.processors = processors.max(1) as u32;
        let decoded = decode(&encode(&plan, &report, &some_identity()), &some_identity());
        prop_assert_eq!(decoded, Ok((plan, report)));
    }

    #[test]
    fn any_words_hash_alike_however_they_come(
        bytes in prop::collection::vec(any::<u8>(), 0..2000), at in any::<prop::sample::Index>(),
    ) {
        let (first, second) = bytes.split_at(at.index(bytes.len() + 1));
        let mut digest = Digest::default();
        digest.bytes(first);
        digest.bytes(second);
        prop_assert_eq!(digest.finish(), Digest::of(&bytes));
    }
}

/// The bytes were written before there were other algorithms.
#[test]
fn files_of_earlier_versions_are_read() {
    const BYTES: &str = "425350475241494e03000000e00000000000000005736f6c76650830313233616263640001060302\
         0202000000000000f83f00000000000059400600000000000000e83f000000000000e03f03010100\
         0000000000e83f000000000000e03f030102ac0202000000000000e83f000000000000e03f030103\
         ac0202000000000000e83f000000000000e03f03010408000000000000e83f000000000000e03f03\
         0105000000000000e83f000000000000e03f03010104000404040300040204000202020300040104\
         00000002010001021cf926e1bd747dd14d2dd8842cd6fb95";
    let byte = |at| u8::from_str_radix(&BYTES[at..at + 2], 16).expect("hexadecimal");
    let bytes: Vec<u8> = (0..BYTES.len()).step_by(2).map(byte).collect();
    let identity = Identity::new("solve", "0123abcd");
    let (plan, report) = written_down();
    assert_eq!(encode(&plan, &report, &identity), bytes);
    assert_eq!(decode(&bytes, &identity), Ok((plan, report)));
}

/// The published test vectors of XXH3: files are read by other builds too.
#[test]
fn hashes_are_those_of_the_specification() {
    assert_eq!(Digest::of(b""), 0x99aa_06d3_0147_98d8_6001_c324_468d_497f);
}

#[test]
fn a_plan_takes_few_bytes_for_each_grain() {
    let random = &mut Pcg64Mcg::seed_from_u64(1);
    let kernel = Kernel::family(0, Pattern::family(5, 90_000, random), random);
    let costs = Costs::default();
    let graph = Graph::new(&kernel, &costs).expect("a good kernel");
    let (plan, report) = choose(&graph, 2, &costs).expect("processors");
    let grains = plan.grains.items.len();
    let bytes = encode(&plan, &report, &some_identity()).len();
    assert!(
        report.chosen().algorithm != Algorithm::Sequential,
        "{report}"
    );
    assert!(
        grains > 5000 && bytes < 3 * grains + 200,
        "{bytes} bytes for {grains} grains"
    );
}

#[test]
fn a_file_that_is_cut_off_anywhere_says_so() {
    let bytes = some_file();
    for found in 0..bytes.len() {
        let length = (found >= 20).then_some(bytes.len() as u64);
        let error = DecodeError::Truncated { found, length };
        assert_eq!(decode(&bytes[..found], &some_identity()), Err(error));
    }
    assert_eq!(
        refused(&bytes[..30], &some_identity()),
        format!("the plan file is cut off: 30 bytes of {}", bytes.len())
    );
    assert_eq!(
        refused(b"", &some_identity()),
        "the plan file is cut off: 0 bytes"
    );
}

#[test]
fn a_bit_that_is_another_one_is_found_wherever_it_is() {
    let bytes = some_file();
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let error = decode(&flipped, &some_identity()).expect_err("refused");
        let is_right = match bit / 8 {
            0..8 => error == DecodeError::NotAPlan,
            8..12 => matches!(error, DecodeError::Version { known: 3, .. }),
            12..20 => matches!(
                error,
                DecodeError::Truncated { .. }
                    | DecodeError::Damaged {
                        what: "its checksum"
                    }
            ),
            _ => {
                error
                    == DecodeError::Damaged {
                        what: "its checksum",
                    }
            }
        };
        assert!(is_right, "bit {bit}: {error}");
    }
}

#[test]
fn a_byte_that_is_another_one_is_found_wherever_it_is() {
    let bytes = some_file();
    for at in 0..bytes.len() {
        for change in 1..=255 {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            assert!(decode(&changed, &some_identity()).is_err(), "byte {at}");
        }
    }
}

#[test]
fn other_files_are_no_plans() {
    for bytes in [&b"%%MatrixMarket"[..], b"B", b"\0"] {
        let error = decode(bytes, &some_identity());
        if bytes == b"B" {
            assert!(matches!(error, Err(DecodeError::Truncated { .. })));
        } else {
            assert_eq!(error, Err(DecodeError::NotAPlan));
        }
    }
    assert_eq!(
        refused(b"%%MatrixMarket", &some_identity()),
        "not a plan file"
    );
    let longer = [&some_file()[..], b"\n"].concat();
    assert_eq!(
        refused(&longer, &some_identity()),
        "the plan file is damaged: its checksum"
    );
}

#[test]
fn files_of_other_versions_are_refused() {
    let mut bytes = some_file();
    bytes[8] = 4;
    assert_eq!(
        refused(&sealed(bytes), &some_identity()),
        "a plan file of version 4, where 3 is known: build the plan anew"
    );
}

#[test]
fn a_plan_is_for_its_kernel() {
    let bytes = some_file();
    assert_eq!(
        refused(&bytes, &Identity::new("sweep", "0123abcd")),
        "the plan is of the kernel `solve`, not of `sweep`"
    );
    assert_eq!(
        refused(&bytes, &Identity::new("solve", "0123abce")),
        "the kernel `solve` has been changed since the plan was saved"
    );
}

#[test]
fn a_plan_is_for_its_control_arguments() {
    let bytes = some_file();
    let (row, col) = ([0, 1, 2, 4], [0, 1, 0, 2]);
    assert_eq!(
        refused(&bytes, &identity(4, &row, &col)),
        "`n` was 3 when the plan was saved, and is 4"
    );
    assert_eq!(
        refused(&bytes, &identity(3, &[0, 1, 2, 4, 5], &col)),
        "`row` had 4 elements when the plan was saved, and has 5"
    );
    assert_eq!(
        refused(&bytes, &identity(3, &row, &[0, 1, 1, 2])),
        "`col` has other elements than when the plan was saved"
    );
    let mut others = Identity::new("solve", "0123abcd");
    others.scalar("m", &3);
    assert_eq!(
        refused(&bytes, &others),
        "the plan file is damaged: the control arguments"
    );
}

/// A plan of waits needs a thread for each processor; parts of a farm are shared.
#[test]
fn a_file_says_all_that_it_has_without_its_kernel() {
    let (plan, report) = some_plan();
    let saved = read(&some_file()).expect("a plan file");
    assert_eq!((&*saved.kernel, saved.plan), ("solve", plan));
    assert_eq!(saved.control, "n = 3, row: 4 elements, col: 4 elements");
    assert_eq!(saved.report.candidates, report.candidates);
    assert_eq!(read(b"other").unwrap_err(), DecodeError::NotAPlan);
}

#[test]
fn plans_that_no_kernel_could_have_are_damaged() {
    let (plan, report) = some_plan();
    let forever = (0..2).map(|chunk| {
        let wait = Wait {
            processor: 1 - chunk as u32,
            steps: 1,
        };
        (chunk, wait)
    });
    let grains = plan.boundaries.len() as u32 - 1;
    let circle = Plan {
        order: Arc::new(Order {
            processors: vec![0, 1, 2],
            waits: Rows::sorted(2, forever),
        }),
        grains: Rows {
            offsets: vec![0, 1, grains],
            items: (0..grains).collect(),
        },
        ..plan.clone()
    };
    let none = Plan {
        boundaries: [0].into(),
        ..plan
    };
    for (plan, said) in [
        (
            circle,
            "the plan file is damaged: processor 0, chunk 0 waits forever",
        ),
        (
            none,
            "the plan file is damaged: the plan has grains that are not all",
        ),
    ] {
        let bytes = encode(&plan, &report, &some_identity());
        assert!(
            decode(&bytes, &some_identity()).is_ok(),
            "its proof refuses it"
        );
        let error = read(&bytes).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
}

#[test]
fn a_plan_for_other_processors_than_its_report_says_is_damaged() {
    let (plan, mut report) = some_plan();
    let damaged = "the plan file is damaged: the number of processors";
    for processors in [0, 1, 3, 200, u32::MAX] {
        report.processors = processors;
        let bytes = encode(&plan, &report, &some_identity());
        assert_eq!(refused(&bytes, &some_identity()), damaged);
    }
    let mut farm = plan;
    Arc::make_mut(&mut farm.order).waits.items.clear();
    for (processors, is_right) in [(0, false), (1, true), (256, true), (257, false)] {
        report.processors = processors;
        let bytes = encode(&farm, &report, &some_identity());
        assert_eq!(decode(&bytes, &some_identity()).is_ok(), is_right);
    }
}

#[test]
fn a_report_without_its_chosen_candidate_is_damaged() {
    let (plan, mut report) = some_plan();
    report.chosen = report.candidates.len();
    assert_eq!(
        refused(&encode(&plan, &report, &some_identity()), &some_identity()),
        "the plan file is damaged: the chosen candidate"
    );
}
