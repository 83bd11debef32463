//! Phases that few iterations connect are fused, and scattered iterations go by cache line.

mod support;

use superstep_compiler::CheckedProgram;
use superstep_schedule::Schedule;
use superstep_tracer::{Kernel, Role, Trace};
use support::{add_move, add_update, add_value, fft, jacobi, sharing, traced};

/// Makes the program of one processor.
fn serial(trace: &Trace) -> CheckedProgram {
    let all: Vec<u32> = (0..trace.tasks() as u32).collect();
    sharing(trace, &Schedule::from_lists(1, [[all]]))
}

/// Returns every run, in order: the statements of an iteration, and for each iteration the slots of
/// all components.
fn runs(program: &CheckedProgram) -> Vec<(Vec<u16>, Vec<Vec<i64>>)> {
    let plan = program.plan();
    let mut runs = Vec::new();
    plan.code(0, 0).walk(&plan.bodies, &mut |number, run| {
        let body = &plan.bodies[number];
        let components = body.starts(run).zip(body.steps(run));
        let components: Vec<(i64, i64)> = components.collect();
        let slots = |x| {
            components
                .iter()
                .map(|(start, step)| start + step * x)
                .collect()
        };
        runs.push((
            body.statements().to_vec(),
            (0..run.count() as i64).map(slots).collect(),
        ));
    });
    runs
}

/// Traces a permutation of `n` words of eight bytes, in place by swaps of these words.
fn swaps(n: usize, swaps: impl Iterator<Item = (usize, usize)>) -> Trace {
    let mut kernel = Kernel::new("swaps");
    let x = kernel.add_array("x", Role::InOut, None);
    let moved = kernel.add_array("moved", Role::Local, Some(1));
    add_move(&mut kernel, "moved = x[i]", moved, x);
    add_move(&mut kernel, "x[i] = x[j]", x, x);
    add_move(&mut kernel, "x[j] = moved", x, moved);
    traced(kernel, |recorder| {
        for (i, j) in swaps.filter(|&(i, j)| i < j && j < n) {
            recorder.push(0, 0, &[i]);
            recorder.push(1, i, &[j]);
            recorder.push(2, j, &[0]);
        }
    })
}

/// Returns the swapped words in the order of the program: the second and the fifth of the six words
/// that a swap touches.
fn swapped(program: &CheckedProgram) -> Vec<(i64, i64)> {
    let slots: Vec<i64> = runs(program)
        .into_iter()
        .flat_map(|(_, iterations)| iterations.concat())
        .collect();
    slots.chunks(6).map(|swap| (swap[1], swap[4])).collect()
}

#[test]
fn stages_of_butterflies_are_fused() {
    let mut butterflies = [0; 40];
    for (statements, iterations) in runs(&serial(&fft(4096))) {
        if statements.contains(&5) {
            butterflies[statements.len()] += statements.len() / 3 * iterations.len();
        }
    }
    // Of twelve stages at least nine, the first three of them at once.
    let stage = 4096 / 2;
    assert!(
        butterflies[36] >= 3 * stage && butterflies[..12].iter().sum::<usize>() <= 3 * stage,
        "{butterflies:?}"
    );
}

/// A short prologue changes nothing.
#[test]
fn stages_behind_a_few_scalars_are_fused() {
    let mut kernel = Kernel::new("stages");
    let s = kernel.add_array("s", Role::Local, Some(1));
    let x = kernel.add_array("x", Role::InOut, None);
    add_move(&mut kernel, "s = x[0]", s, x);
    add_value(&mut kernel, "s = s * s", s, &[s, s], [0, 1, 0]);
    add_update(&mut kernel, "x[i] += s", x, &[x, s], [1, 0, 0]);
    add_update(&mut kernel, "x[i] *= x[i]", x, &[x, x], [0, 1, 0]);
    let trace = traced(kernel, |recorder| {
        recorder.push(0, 0, &[0]);
        recorder.push(1, 0, &[0, 0]);
        (0..1000).for_each(|i| recorder.push(2, i, &[i, 0]));
        (0..1000).for_each(|i| recorder.push(3, i, &[i, i]));
    });
    let longest = runs(&serial(&trace))
        .into_iter()
        .max_by_key(|(_, iterations)| iterations.len());
    assert_eq!(longest.unwrap().0, [2, 3]);
}

/// Words that are read by forty others.
#[test]
fn phases_that_connect_many_words_stay_apart() {
    let mut kernel = Kernel::new("forties");
    let x = kernel.add_array("x", Role::Input, None);
    let y = kernel.add_array("y", Role::InOut, None);
    let z = kernel.add_array("z", Role::InOut, None);
    add_value(&mut kernel, "y[i] = x[i] * x[i]", y, &[x, x], [0, 1, 0]);
    let text = "z[i] = y[i] + y[i / 40 * 40]";
    add_value(&mut kernel, text, z, &[y, y], [1, 0, 0]);
    let trace = traced(kernel, |recorder| {
        (0..4000).for_each(|i| recorder.push(0, i, &[i, i]));
        (0..4000).for_each(|i| recorder.push(1, i, &[i, i / 40 * 40]));
    });
    let statements: Vec<u16> = runs(&serial(&trace))
        .into_iter()
        .flat_map(|(statements, _)| statements)
        .collect();
    assert!(statements.is_sorted(), "one phase after the other");
}

/// Two sweeps connect all words of one colour of a checkerboard.
#[test]
fn sweeps_stay_apart() {
    let program = serial(&jacobi(40, 4));
    assert!(
        runs(&program)
            .iter()
            .all(|(statements, _)| statements.len() == 1)
    );
}

#[test]
fn swaps_of_common_lines_stand_together() {
    let n = 1 << 14;
    let reversed = move |i: usize| i.reverse_bits() >> (usize::BITS - 14);
    let swapped = swapped(&serial(&swaps(n, (0..n).map(|i| (i, reversed(i))))));
    // Eight words a line: every chain of lines has eight of them and eight of their images, with up
    // to 64 swaps.
    let mut touched = vec![Vec::new(); n / 8];
    for (place, &(i, j)) in swapped.iter().enumerate() {
        touched[i as usize / 8].push(place);
        touched[j as usize / 8].push(place);
    }
    for places in touched.iter().filter(|places| !places.is_empty()) {
        assert!(places[places.len() - 1] - places[0] < 64, "{places:?}");
    }
}
