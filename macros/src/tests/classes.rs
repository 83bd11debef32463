//! Tests of classes and types: which names are control or data, as far as the text shows.

use insta::assert_snapshot;

use super::{classes, refusals};

#[test]
fn a_size_is_control_where_the_control_uses_it() {
    assert_snapshot!(classes("fn k(n: usize, m: usize, x: &mut [usize]) { for i in 0..n { x[i] = m; } }"), @"
    n: Control usize
    m: Data usize
    x: Data usize
    i: Control usize
    ");
}

#[test]
fn demand_goes_through_locals() {
    assert_snapshot!(
        classes("fn k(n: usize, m: u32, x: &mut [f64]) { let mut j = 0; let w = m as usize; for _ in 0..n { j += w; } x[j] = 1.0; }"),
        @"
    n: Control usize
    m: Control u32
    x: Data f64
    j: Control usize
    w: Control usize
    "
    );
}

#[test]
fn integers_that_nobody_demands_are_control_if_operators_compute_them_from_control() {
    assert_snapshot!(
        classes(
            "fn k(n: usize, seed: u64, x: &mut [f64]) {
                let mut count = 0;
                let odd = n % 2 == 1;
                let half: u32 = f(n);
                let mixed = seed ^ 5;
                let h = 1.0 / n as f64;
                for i in 0..n { count += 1; x[i] = h; }
            }"
        ),
        @"
    n: Control usize
    seed: Data u64
    x: Data f64
    count: Control i32
    odd: Control bool
    half: Data u32
    mixed: Data u64
    h: Data f64
    i: Control usize
    "
    );
}

#[test]
fn types_come_from_what_flows_in() {
    assert_snapshot!(
        classes(
            "fn k(n: usize, x: &mut [f32], z: &[Complex<f64>]) {
                let mut sum = 0.0;
                let t = z[0];
                let u = t * z[1];
                let s = x[0].sqrt().max(2.0);
                let big = x[1] > s;
                let grid = [[0.0; 4]; 3];
                let later;
                later = x[2] as f64;
                for i in 0..n { sum += x[i]; }
                x[0] = sum;
            }"
        ),
        @"
    n: Control usize
    x: Data f32
    z: Data Complex<f64>
    sum: Data f32
    t: Data Complex<f64>
    u: Data Complex<f64>
    s: Data f32
    big: Data bool
    grid: Data f64
    later: Data f64
    i: Control usize
    "
    );
}

#[test]
fn a_value_that_is_tried_as_another_type_keeps_its_own() {
    assert_snapshot!(
        classes(
            "fn k(x: &[f64], y: &mut [f64]) {
                let n = if x[0] > 0.0 { 200 } else { 1 };
                let m = n + 100;
                y[0] = f64::from(u8::try_from(m).unwrap_or(7));
            }"
        ),
        @"
    x: Data f64
    y: Data f64
    n: Data i32
    m: Data i32
    "
    );
}

#[test]
fn a_typed_name_inside_an_expression_gives_its_value_the_type() {
    assert_snapshot!(
        classes(
            "fn k(x: &mut [f64]) {
                let n = 5;
                let m = 6;
                x[0] = { let q: u32 = n; f64::from(q) };
                x[1] = { let r: _ = m; f64::from(r) };
                x[2] = { let s: u8 = unknown(); f64::from(s) };
            }"
        ),
        @"
    x: Data f64
    n: Control u32
    m: Control i32
    q: Inner u32
    r: Inner i32
    s: Inner u8
    "
    );
}

#[test]
fn a_number_of_which_bits_are_taken_need_not_be_an_i32() {
    assert_snapshot!(
        classes("fn k(x: &mut [f64]) { let n = 3; x[0] = f64::from_bits(n); }"),
        @"
    x: Data f64
    n: Data ?
    "
    );
}

#[test]
fn integer_local_arrays_can_be_control() {
    assert_snapshot!(
        classes("fn k(x: &mut [f64]) { let mut p = [0; 8]; for i in 0..8 { p[i] = 7 - i; } for i in 0..8 { x[p[i]] = 0.0; } }"),
        @"
    x: Data f64
    p: Control usize
    i: Control usize
    i_2: Control usize
    "
    );
}

#[test]
fn shadowing_makes_another_name() {
    assert_snapshot!(
        classes("fn k(mut n: usize, x: &mut [f64]) { let t = x[0]; n += 1; { let t = t + 1.0; let n = 2.0 * t; x[n_2()] = n; } x[n] = t; }"),
        @"
    n: Control usize
    x: Data f64
    n_3: Control usize
    t: Data f64
    t_2: Data f64
    n_4: Data f64
    "
    );
}

#[test]
fn what_an_expression_binds_is_its_own() {
    assert_snapshot!(
        classes("fn k(n: usize, x: &mut [f64]) { for i in 0..n { x[i] = { let q = x[i] * 2.0; match i { m if m > 2 => x[m - 1], _ => q } }; } }"),
        @"
    n: Control usize
    x: Data f64
    i: Control usize
    q: Inner f64
    m: Control usize
    "
    );
}

#[test]
fn control_from_data_is_refused_where_it_is_used() {
    assert_snapshot!(
        refusals("fn k(n: usize, x: &mut [f64], col: &[usize]) { let k = x[0] as usize; for i in 0..n { x[k] = 1.0; x[k + 1] = 2.0; x[col[i]] = 0.0; } }"),
        @"
    the index of `x` must be control, but `k` depends on data: `x[0]` comes in at line 1: `let k = x[0] as usize`. Read each candidate, and choose on the right-hand side: `x = if c { a[i] } else { a[j] }`
    the index of `x` must be control, but `col[i]` is data (an element of type `usize`). If `col` is a pattern that is known when the program is built, mark the parameter: `#[structure] col`
    "
    );
}

#[test]
fn an_assignment_under_a_data_condition_is_shown_as_an_expression() {
    assert_snapshot!(
        refusals("fn k(n: usize, x: &mut [f64]) { for i in 0..n { if x[i] > 1.0 { x[i] -= 1.0; } } }"),
        @"the condition of this `if` must be control, but `x[i]` is data (an element of type `f64`). Write `x[i] = if x[i] > 1.0 { x[i] - 1.0 } else { x[i] };`"
    );
    assert_snapshot!(
        refusals("fn k(n: usize, x: &mut [f64]) { if x[n] > 1.0 { x[0] = 1.0; } else { x[0] = x[1]; } }"),
        @"the condition of this `if` must be control, but `x[n]` is data (an element of type `f64`). Write `x[0] = if x[n] > 1.0 { 1.0 } else { x[1] };`"
    );
}
