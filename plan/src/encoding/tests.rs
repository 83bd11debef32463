//! Plans that are written are read back; bytes that are no plan are refused.

use proptest::prelude::*;

use super::*;

fn strided() -> impl Strategy<Value = Vec<Strided>> {
    let one = (
        0..3_u16,
        any::<u32>(),
        any::<u32>(),
        any::<i32>(),
        any::<u32>(),
        any::<i32>(),
    );
    prop::collection::vec(one, 0..4).prop_map(|all| {
        all.into_iter()
            .map(|(array, count, from, from_step, to, to_step)| Strided {
                array,
                count,
                from,
                from_step,
                to,
                to_step,
            })
            .collect()
    })
}

/// Makes a body of five components, of which two follow from others.
fn body_of_four_values() -> Body {
    let component = |(base, stride)| Component { base, stride };
    let (given, always) = (Stride::Given, Stride::Always);
    let components = [
        (0, given(3)),
        (1, always(1)),
        (1, always(-7)),
        (2, given(3)),
        (0, always(0)),
    ];
    Body::new(
        vec![1, 0],
        components.map(component).to_vec(),
        vec![0, -3, 1 << 40, 0, 9],
    )
}

/// Makes nested terms over two bodies, of 2 and 4 values, and as many values as they take.
fn code() -> impl Strategy<Value = Code> {
    let leaf = (0..2_u16).prop_map(|body| (vec![Term::Run { body }], 3 + 2 * u32::from(body)));
    let term = leaf.prop_recursive(3, 16, 3, |inner| {
        prop::collection::vec(inner, 1..4).prop_map(|children| {
            let width = children.iter().map(|(_, values)| values).sum();
            let inside: Vec<Term> = children.into_iter().flat_map(|(terms, _)| terms).collect();
            let mut terms = vec![Term::Loop {
                terms: inside.len() as u32,
                width,
            }];
            terms.extend(inside);
            (terms, 1 + 2 * width)
        })
    });
    let loose = prop::collection::vec(any::<[i32; 2]>(), 1..4);
    (prop::collection::vec(term, 0..4), loose, any::<u64>()).prop_map(|(all, loose, seed)| {
        let count: u32 = all.iter().map(|(_, values)| values).sum();
        let value = |at: u32| match seed.wrapping_mul(u64::from(2 * at + 1)).rotate_left(at) {
            word if word % 3 == 0 => word as i64,
            word => (word % 2) as i64 * ((word >> 50) as i64 - 9000),
        };
        let mut terms: Vec<Term> = all.into_iter().flat_map(|(terms, _)| terms).collect();
        let (body, runs) = (0, loose.len() as u32);
        terms.push(Term::Loose { body, runs });
        Code {
            terms,
            values: (0..count).map(value).collect(),
            loose: loose.concat(),
        }
    })
}

fn plan() -> impl Strategy<Value = Plan> {
    let parts = (
        prop::collection::vec(any::<u32>(), 6),
        prop::collection::vec(strided(), 4),
        prop::collection::vec(code(), 6),
        prop::collection::btree_map((0..2_u32, 0..2_u32), strided(), 0..4),
        prop_oneof![Just(vec![]), prop::collection::vec(any::<bool>(), 3)],
    );
    parts.prop_map(|(lengths, mut strided, code, messages, shared)| Plan {
        processors: 2,
        predicted: 300,
        supersteps: 3,
        extents: vec![7, 0, u32::MAX],
        shared,
        precedences: Precedence::barrier(1, 2)
            .chain(Precedence::barrier(2, 2).take(1))
            .collect(),
        lengths,
        gather: strided.split_off(2),
        scatter: strided,
        messages: messages
            .into_iter()
            .map(|((superstep, from), strided)| Message {
                superstep,
                from,
                to: 1 - from,
                strided,
            })
            .collect(),
        bodies: vec![Body::own(vec![0], 1).in_blocks(), body_of_four_values()],
        code,
    })
}

proptest! {
    #[test]
    fn decoding_inverts_encoding(plan in plan()) {
        prop_assert_eq!(Plan::decode(&plan.encode()), Ok(plan));
    }

    /// Loose runs have no values that a loop could change.
    #[test]
    fn loose_runs_in_loops_are_refused(loose in prop::collection::vec(any::<[i32; 2]>(), 1..4), count in 0..9_i64) {
        let (body, runs) = (0, loose.len() as u32);
        let inside = [Term::Loop { terms: 1, width: 0 }, Term::Loose { body, runs }];
        let code = Code { terms: inside.to_vec(), values: vec![count], loose: loose.concat() };
        let plan = Plan {
            processors: 1,
            supersteps: 1,
            scatter: vec![vec![]],
            gather: vec![vec![]],
            bodies: vec![Body::own(vec![0], 1)],
            code: vec![code],
            ..Plan::default()
        };
        prop_assert_eq!(Plan::decode(&plan.encode()), Err(DecodeError::Inconsistent("terms of a loop")));
    }

    #[test]
    fn garbage_is_refused_or_consistent(plan in plan(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
        let mut bytes = plan.encode();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        bytes.truncate(cut.index(bytes.len()) + bytes.len() / 2);
        if let Ok(plan) = Plan::decode(&bytes) {
            prop_assert_eq!(Plan::decode(&plan.encode()), Ok(plan));
        }
    }

    #[test]
    fn noise_is_refused_or_consistent(mut bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        bytes.splice(0..0, *MAGIC);
        if let Ok(plan) = Plan::decode(&bytes) {
            prop_assert_eq!(Plan::decode(&plan.encode()), Ok(plan));
        }
    }
}
