//! Every generated program gives the bits of the original; and these tests would notice if one did
//! not.

use superstep_example_cg::{N, State, kernels};
use superstep_side_by_side::Check;

fn steps(state: &mut State) {
    for _ in 0..3 {
        kernels::cg_step(
            N,
            &mut state.x,
            &mut state.r,
            &mut state.p,
            &mut state.q,
            &mut state.rr,
        );
    }
}

#[test]
fn every_program_is_identical() {
    let check = Check::new(&State::new(N), steps);
    let shapes = check.programs(&[1, 2, 3, 4, 7, 8], |processors, transport, s| {
        let step = kernels::cg_step::with()
            .exactly(processors)
            .transport(transport);
        (0..3).try_for_each(|_| step.run(N, &mut s.x, &mut s.r, &mut s.p, &mut s.q, &mut s.rr))
    });
    // Supersteps, and processors that worked.
    assert_eq!(shapes, [(1, 1), (4, 2), (3, 3), (5, 4), (4, 7), (3, 8)]);
}

#[test]
fn the_last_bit_of_an_input_counts() {
    let mut start = State::new(N);
    let check = Check::new(&start, steps);
    let inside = 100 * N + 106;
    start.r[inside] = start.r[inside].next_up();
    assert!(!check.accepts_run(&start, |s| {
        let step = kernels::cg_step::with().exactly(4);
        (0..3).try_for_each(|_| step.run(N, &mut s.x, &mut s.r, &mut s.p, &mut s.q, &mut s.rr))
    }));
}

#[test]
fn the_iteration_converges() {
    let start = State::new(N);
    let mut state = start.clone();
    let solved = state.solve(1e-8, 10 * N, |s| {
        kernels::cg_step::with()
            .exactly(2)
            .run(N, &mut s.x, &mut s.r, &mut s.p, &mut s.q, &mut s.rr)
    });
    solved.expect("no processor panics");
    assert!(state.steps < 3 * N, "{} steps", state.steps);
    let (first, last) = (start.rr.sqrt(), state.residual(N, &start.r));
    assert!(last < 1e-7 * first, "residual {last} of {first}");
}
