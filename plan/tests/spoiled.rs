//! Spoiled plans: an error or a plan, never a panic, and memory in proportion to the bytes.

#[path = "../../fuzz/spoil.rs"]
mod spoil;

use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_plan::synchronisation::Synchronisation;
use superstep_plan::{Body, Code, Message, Plan, Precedence, Strided, Term, head};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Makes a plan with something of everything: copies, messages, precedences, nested loops, runs,
/// loose ones.
fn plan() -> Plan {
    let strided = |array| Strided {
        array,
        count: 300,
        from: 7,
        from_step: -1,
        to: 90_000,
        to_step: 2,
    };
    let around = |terms, width| Term::Loop { terms, width };
    let nest = Code {
        terms: vec![
            around(3, 10),
            Term::Run { body: 0 },
            around(1, 3),
            Term::Run { body: 0 },
            Term::Loose { body: 0, runs: 2 },
        ],
        values: (0..21).map(|value| (value % 4) * 1000).collect(),
        loose: vec![5, -6, 70_000, 8],
    };
    Plan {
        processors: 2,
        predicted: 12_345,
        supersteps: 2,
        extents: vec![100, 0],
        shared: vec![true, false],
        precedences: Precedence::barrier(1, 2).collect(),
        lengths: vec![100, 5, 3, 0],
        scatter: vec![vec![strided(0), strided(1)], vec![]],
        gather: vec![vec![], vec![strided(1)]],
        messages: vec![Message {
            superstep: 0,
            from: 1,
            to: 0,
            strided: vec![strided(1); 2],
        }],
        bodies: vec![Body::own(vec![1, 0], 1).in_blocks()],
        code: vec![nest.clone(), Code::default(), Code::default(), nest],
    }
}

/// Decodes bytes. What comes out is encoded to what comes out again.
fn hold(bytes: &[u8]) {
    let (decoded, most) = peak(|| Plan::decode(bytes));
    let bound = 128 * bytes.len() + (1 << 20);
    assert!(most <= bound, "{most} bytes for {}", bytes.len());
    let begins = head(bytes);
    match decoded {
        Ok(plan) => {
            assert_eq!(begins.map(|h| h.predicted), Ok(plan.predicted));
            assert!(Synchronisation::new(&plan).is_ok());
            assert_eq!(Plan::decode(&plan.encode()), Ok(plan));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

proptest! {
    #[test]
    fn spoiled_plans(bytes in spoiled(plan().encode())) {
        hold(&bytes);
    }

    #[test]
    fn noise(noise in prop::collection::vec(prop_oneof![3 => 0..6_u8, 1 => any::<u8>()], 0..300)) {
        hold(&noise);
        hold(&[&plan().encode()[..5], &noise].concat());
        // One superstep of one processor, with one body and without arrays: the noise is code.
        hold(&[&plan().encode()[..5], b"\x01\x00\x01\0\0\0\x01\x01\0\0\x01\0\0\0\0\0\0", &noise].concat());
    }
}

/// Plans that say most in the fewest bytes, a megabyte each.
#[test]
fn dense_plans_take_memory_in_proportion() {
    const BYTES: usize = 1 << 20;
    // The number of the bytes that follow, as LEB128.
    let count = [0x80, 0x80, 0x40];
    let magic = &plan().encode()[..5];
    let beginnings: [&[u8]; 9] = [
        b"",
        b"\x01\0\x01",
        b"\x01\0\x80\x80\x40\0\0\0\0\0\0\0",
        b"\x01\0\x01\0\0\0",
        b"\x01\0\x01\0\0\0\0\0\0\0",
        b"\xff\xff\x03\0\0\0\0\0\0",
        b"\x01\0\x01\0\0\0\x01\x01\0\0\0\0\0\0",
        b"\x01\0\x01\0\0\0\x01\x01\0\0\x01\0\0\0\0\0\0\0",
        b"\x01\0\xff\xff\xff\xff\x0f\0\0\0\0\0\0\0",
    ];
    for beginning in beginnings {
        for byte in [0, 1, 2, 4, 5, 9, 0x7f, 0x80, 0xff] {
            let rest = vec![byte; BYTES];
            hold(&[magic, beginning, &rest].concat());
            hold(&[magic, beginning, &count, &rest].concat());
        }
    }
}

/// Loops in loops double what they hold: 2^20 values in 60 bytes.
#[test]
fn values_that_no_bytes_stand_for_have_a_limit() {
    let nest = |depth: u32| {
        let width = |depth: u32| 4 * (1 << depth) - 1;
        let loops = (1..=depth).rev().map(|depth| Term::Loop {
            terms: depth,
            width: width(depth - 1),
        });
        let code = Code {
            terms: loops.chain([Term::Run { body: 0 }]).collect(),
            values: vec![0; width(depth) as usize],
            loose: vec![],
        };
        Plan {
            processors: 1,
            supersteps: 1,
            scatter: vec![vec![]],
            gather: vec![vec![]],
            bodies: vec![Body::own(vec![0], 1)],
            code: vec![code],
            ..Plan::default()
        }
    };
    assert_eq!(Plan::decode(&nest(14).encode()), Ok(nest(14)));
    let deep = nest(18).encode();
    let (decoded, most) = peak(|| Plan::decode(&deep));
    assert!(decoded.is_err() && most < 1 << 20, "{most} bytes");
    // Many codes, each of which is within the limit.
    let many = Plan {
        supersteps: 1000,
        code: vec![nest(12).code[0].clone(); 1000],
        ..nest(0)
    };
    hold(&many.encode());
    assert!(Plan::decode(&many.encode()).is_err());
}
