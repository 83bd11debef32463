use std::sync::atomic::{AtomicUsize, Ordering};

use superstep::kernel;

fn twice(i: usize) -> usize {
    2 * i
}

#[kernel(plan)]
fn sum(n: usize, x: &[f64], total: &mut f64) {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i];
    }
    *total = s;
}

#[kernel(plan)]
fn reduced(n: usize, x: &[f64], total: &mut f64) {
    *total = 0.0;
    #[reduce]
    for i in 0..n {
        *total += x[i];
    }
}

#[kernel(plan)]
fn counted(n: usize, #[structure] use_it: &[bool], x: &mut [f64]) {
    let mut k = 0;
    for i in 0..n {
        if use_it[i] {
            x[k] *= 2.0;
            k += 1;
        }
    }
}

#[kernel(plan)]
fn found(n: usize, #[structure] last: &[usize], x: &mut [f64]) {
    for i in 0..n {
        if last[i] == 0 {
            break;
        }
        x[i] *= 2.0;
    }
}

#[kernel(plan)]
fn called(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[twice(i)] *= 2.0;
    }
}

#[kernel(plan)]
fn nothing(n: usize, x: &[f64]) {
    assert!(n == x.len());
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

fn table() -> [usize; 2] {
    [1, 0]
}

macro_rules! pick {
    () => {
        CALLS.fetch_add(1, Ordering::Relaxed)
    };
}

#[kernel(plan)]
fn changing(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[AtomicUsize::fetch_add(&CALLS, 1, Ordering::Relaxed)] *= 2.0;
        x[CALLS.load(Ordering::Relaxed)] *= 2.0;
        x[table()[i]] *= 2.0;
        x[{
            pick! {}
        }] *= 2.0;
    }
}

#[kernel(plan)]
fn listed(n: usize, x: &mut [f64]) {
    let mut at = [0usize; 2];
    while at[0] < n {
        for i in at[0]..n {
            x[i] *= 2.0;
        }
        at[0] += 1;
    }
}

fn main() {}
