//! A kernel whose names are those that its expansion has use for, too.

use superstep::kernel;

/// A word of a type that is named as one of the expansion's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lent(pub f64);

/// Another one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LentCommon(pub f64);

/// Adds to each word of such a type the one before it.
#[kernel(plan)]
pub fn lent(n: usize, x: &mut [LentCommon]) {
    let mut last = x[0];
    for i in 1..n {
        x[i].0 += last.0;
        last = x[i];
    }
}

/// A number of a type that is named as one of the expansion's.
pub type Control = f64;

/// Returns its argument.
pub fn fitting(value: Control) -> Control {
    value
}

/// Relaxes a chain: each name, the lifetime's too, is one that its expansion has use for.
#[kernel(plan)]
#[allow(clippy::needless_lifetimes)]
pub fn original<'s>(
    lifetime: usize,
    settings: usize,
    x_len: usize,
    #[structure] control: &'s [usize],
    #[structure] site: &[u32],
    #[values] tape: &[f64],
    #[values] reader: &[f64],
    #[scratch] scratch: &mut [f64],
    accesses: &[f64],
    view: &[Control],
    memory: &mut [Lent],
    x: &mut [f64],
    plan: &f64,
    loaded: f64,
) {
    assert!(x.len() >= lifetime && tape.len() == control[lifetime]);
    for i in settings..lifetime {
        let space = control[i];
        let words = control[i + 1];
        let mut own = x[i];
        scratch[0] = 0.0;
        for t in space..words {
            let start = site[t] as usize;
            let value = tape[t] * x[start];
            scratch[0] += value;
            own -= value;
        }
        let taped0 = i % x_len;
        let lent: f64 = accesses[taped0] + fitting(reader[i]);
        x[i] = lent * own + view[taped0] + scratch[0] * plan + loaded;
        memory[i].0 = x[i];
    }
    for span in 0..lifetime {
        for number in 0..1 {
            let mut state = x[span + number];
            let identity = 0.5 * state;
            state += identity;
            x[span] = state;
        }
    }
}

/// Sums in passes: a kernel that is named as what it has in its module.
#[kernel(plan)]
pub fn plan(lifetime: usize, accesses: &[f64], x: &mut [f64]) {
    let mut processors = 1usize;
    while processors < lifetime {
        for outcome in (0..lifetime).step_by(2 * processors) {
            let end = outcome % accesses.len();
            x[outcome] += accesses[end];
        }
        processors *= 2;
    }
}

/// A number of a type that is named as what holds control arguments.
pub type Held = f64;

/// A number of a type that is named as what `prepare` gives.
pub type Prepared = f64;

/// Gathers words: arguments that are named as what a plan holds and tracks by.
#[kernel(plan)]
pub fn held(
    extents: usize,
    #[structure] held: &[usize],
    plan_owned: &[Held],
    prepare_owned: &mut [Prepared],
) {
    for i in 0..extents {
        prepare_owned[i] += 0.5 * plan_owned[held[i]];
    }
}
