//! Tests of whole expansions, which stand in files beside the tests.

use insta::assert_snapshot;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use super::{context, expansion, grains, inlined, module};
use crate::identity::Side;

const LU: &str = "
/// Factors `a`.
pub fn lu(n: usize, a: &mut [f64]) {
    for k in 0..n {
        for i in k + 1..n {
            a[i * n + k] /= a[k * n + k];
            for j in k + 1..n {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        }
    }
}";

const FFT: &str = "
pub(crate) fn fft(n: usize, twiddles: &[Complex<f64>], x: &mut [Complex<f64>]) {
    let mut half = 1;
    while half < n {
        for start in (0..n).step_by(2 * half) {
            for k in 0..half {
                let odd = twiddles[k * (n / (2 * half))] * x[start + half + k];
                x[start + half + k] = x[start + k] - odd;
                x[start + k] += odd;
            }
        }
        half *= 2;
    }
}";

const SPTRSV: &str = "
fn sptrsv(n: usize, #[structure] row: &[usize], #[structure] col: &[u32], values: &[f64], x: &mut [f64]) {
    for i in 0..n {
        for e in row[i]..row[i + 1] - 1 {
            x[i] -= values[e] * x[col[e] as usize];
        }
        x[i] /= values[row[i + 1] - 1];
    }
}";

const SEARCH: &str = "
fn search(n: usize, scale: f64, x: &mut [f64], best: &mut f64) {
    let mut step = x.len();
    'all: while step > 0 {
        for i in (0..n).rev() {
            if i % 7 == 3 {
                continue 'all;
            } else if i > 100 {
                break 'all;
            }
            let t = scale * i as f64;
            x[i] = if i > 0 { x[i - 1] } else { t };
            *best = best.max(x[i]);
        }
        step /= 2;
    }
    assert!(n > 0, \"none\");
}";

const GRAINS: &str = "
fn grains(n: usize, x: &mut [f64]) {
    'rows: for i in 0..n {
        x[i] = 0.0;
        #[grain]
        for j in 0..i {
            x[i] += x[j];
            if j > 4 {
                continue 'rows;
            }
            'inner: loop {
                break 'inner;
            }
        }
    }
    let mut k = 0;
    #[grain]
    while k < n {
        x[k] *= 2.0;
        k += 1;
    }
}";

const SHAPES: &str = "
fn shapes(m: &mut [[f64; 3]; 2], p: &mut [Point], flag: &bool) {
    let mut t = [[0.0; 2]; 2];
    t = [[1.0, 2.0]; 2];
    for i in 0..2 {
        m[i][i] += t[i][0];
        p[i].at[i] = helper::norm(self::origin(), m[i][2]);
        p[i].seen |= *flag;
    }
}";

#[test]
fn lu_on_both_sides() {
    assert_snapshot!(expansion(Side::Build, LU));
    assert_snapshot!(expansion(Side::Crate, LU));
}

#[test]
fn fft_in_the_build_script() {
    assert_snapshot!(module(Side::Build, FFT));
}

#[test]
fn sptrsv_on_both_sides() {
    assert_snapshot!(module(Side::Build, SPTRSV));
    assert_snapshot!(module(Side::Crate, SPTRSV));
}

#[test]
fn loops_labels_and_guards_in_the_build_script() {
    assert_snapshot!(module(Side::Build, SEARCH));
}

#[test]
fn shapes_on_both_sides() {
    assert_snapshot!(module(Side::Build, SHAPES));
    assert_snapshot!(module(Side::Crate, SHAPES));
}

#[test]
fn a_marked_loop_is_a_tree_in_the_function_too() {
    assert_snapshot!(expansion(
        Side::Build,
        "fn dot(n: usize, x: &[f64], y: &[f64], s: &mut f64) { #[reduce] for i in 0..n { *s += x[i] * y[i]; } }"
    ));
}

#[test]
fn a_declared_cost_is_told_with_the_operations() {
    let kernel = |mark: &str| {
        format!("fn k(n: usize, x: &mut [f64]) {{ for i in 0..n {{ {mark} x[i] += 1.0; }} }}")
    };
    let expansions = ["#[cost(60)]", ""].map(|mark| expansion(Side::Build, &kernel(mark)));
    let [with, without] = expansions.map(|text| text.replace(char::is_whitespace, ""));
    assert!(
        with.contains("cost:::core::option::Option::Some(60)"),
        "{with}"
    );
    assert!(!without.contains("cost:"), "{without}");
}

#[test]
fn grains_end_where_jumps_out_of_them_lead() {
    assert_snapshot!(module(Side::Build, GRAINS));
}

const BLOCKS: &str = "
fn blocks(n: usize, block: usize, a: &[f64], c: &mut [f64], flag: &mut bool) {
    for i in (0..n).step_by(block) {
        #[grain]
        for j in (0..n).step_by(block) {
            tile(block, 2.0, &a[i..i + block], &mut c[i * n + j..], flag);
        }
    }
}";

const TILE: &str = "
fn tile(n: usize, alpha: f64, x: &[f64], c: &mut [f64], flag: &mut bool) {
    for i in 0..x.len() {
        c[i] += alpha * x[i];
        if i == n {
            return;
        }
        clear(&mut c[..i], flag);
    }
}";

const CLEAR: &str = "
fn clear(c: &mut [f64], flag: &mut bool) {
    for n in 0..c.len() {
        c[n] = if *flag { 0.0 } else { c[n] };
    }
    *flag = true;
}";

#[test]
fn a_call_asks_for_the_source_of_the_callee_and_of_those_that_it_calls() {
    assert_snapshot!(expansion(Side::Crate, BLOCKS));
    assert_snapshot!(inlined(Side::Crate, BLOCKS, &[TILE]));
}

#[test]
fn the_statements_of_a_callee_stand_in_place_of_the_call() {
    assert_snapshot!(inlined(Side::Build, BLOCKS, &[TILE, CLEAR]));
}

#[test]
fn a_return_of_a_callee_ends_its_grain() {
    let callee = "fn clear(n: usize, x: &mut [f64]) { #[grain] for i in 0..n { x[i] = 0.0; if i == 4 { return; } } }";
    let text = inlined(
        Side::Build,
        "fn k(n: usize, x: &mut [f64]) { clear(n, x); x[0] = 1.0; }",
        &[callee],
    );
    let start = text.find("fn trace").expect("there is a trace function");
    assert_snapshot!(&text[start..]);
}

#[test]
fn a_callee_is_part_of_the_callers_identity() {
    let id = |callee: &str| {
        let text = inlined(Side::Build, "fn k(x: &mut [f64]) { one(x); }", &[callee]);
        let line = text
            .lines()
            .find(|line| line.trim_start().starts_with("id: "));
        line.expect("the table has an id").trim().to_owned()
    };
    let one = id("fn one(x: &mut [f64]) { x[0] = 1.0; }");
    assert_eq!(one, id("fn one(x: &mut [f64]) { x[0] = 1.0; }"));
    assert_ne!(one, id("fn one(x: &mut [f64]) { x[0] = 2.0; }"));
}

#[test]
fn literals_that_end_with_a_point_are_handed_to_callees() {
    let text = inlined(
        Side::Build,
        "fn k(n: usize, x: &mut [f64]) { scale(n, 2., x); scale(n, -1., x); }",
        &["fn scale(n: usize, by: f64, x: &mut [f64]) { for i in 0..n { x[i] *= by; } }"],
    );
    assert!(!text.contains("compile_error"), "{text}");
}

#[test]
fn named_constants_have_the_types_of_the_parameters_that_they_are_handed_to() {
    let damp = "fn damp(n: usize, by: f64, x: &mut [f64]) { for i in 0..n { let t = by * x[i]; x[i] = t * t; } }";
    for argument in ["2.0", "HALF", "-HALF", "std::f64::consts::PI"] {
        let kernel = format!("fn k(n: usize, x: &mut [f64]) {{ damp(n, {argument}, x); }}");
        let text = inlined(Side::Build, &kernel, &[damp]);
        assert!(!text.contains("compile_error"), "{argument}: {text}");
        assert!(!text.contains("casts : "), "{argument}: {text}");
    }
}

#[test]
fn types_of_parameters_may_be_fragments_of_macros_or_in_parentheses() {
    let fragment = |text: &str| {
        let tokens = text.parse().expect("the type has tokens");
        TokenStream::from(TokenTree::Group(Group::new(Delimiter::None, tokens)))
    };
    let expansion = |vector: TokenStream| {
        let item = quote!(fn k(n: usize, x: #vector) { for i in 0..n { x[i] = 0.0; } });
        let context = context(Side::Build);
        crate::expand(&context, TokenStream::new(), item).to_string()
    };
    for vector in [fragment("&mut [f64]"), quote!((&mut [f64]))] {
        let text = expansion(vector);
        assert!(!text.contains("compile_error"), "{text}");
    }
    let refused = expansion(fragment("&mut Vec<f64>"));
    assert!(refused.contains("pass a slice, `&mut [f64]`"), "{refused}");
}

#[test]
fn a_refused_kernel_keeps_its_function_without_our_marks_and_what_its_build_script_calls() {
    assert_snapshot!(
        expansion(Side::Build, "fn k(n: usize, #[structure] row: &[usize], x: &mut [f64]) { #[grain] for i in 0..n { x.swap(i, 0); } }"),
        @r#"
    ::core::compile_error! {
        "a kernel assigns one place at a time: write `let t = x[i]; x[i] = x[0]; x[0] = t;`"
    }
    #[allow(dead_code)]
    fn k(n: usize, row: &[usize], x: &mut [f64]) {
        for i in 0..n {
            x.swap(i, 0);
        }
    }
    #[allow(unreachable_pub, unused)]
    mod k {
        use super::*;
        macro_rules! source {
            ($($sources:tt)*) => {
                ::superstep::__inline! { $($sources)* {} }
            };
        }
        pub(crate) use source;
        pub fn instance(n: usize, row: &[usize]) -> ::superstep::build::Instance {
            ::core::panic!("the kernel is refused")
        }
    }
    "#
    );
    assert_snapshot!(expansion(Side::Crate, "fn k<T>(x: &mut [T]) {}"), @r#"
    ::core::compile_error! {
        "a kernel cannot be generic: it is traced and generated for one type. Write a concrete type instead of `T`, and one kernel for each type that you need"
    }
    #[allow(dead_code)]
    fn k<T>(x: &mut [T]) {}
    "#);
}

#[test]
fn grains_tell_ranges_and_what_does_not_move_once() {
    insta::assert_snapshot!(grains(SPTRSV));
    insta::assert_snapshot!(grains(
        "pub fn lu(n: usize, a: &mut [f64]) {
            for k in 0..n {
                #[grain]
                for i in k + 1..n {
                    a[i * n + k] /= a[k * n + k];
                    for j in k + 1..n {
                        a[i * n + j] -= a[i * n + k] * a[k * n + j];
                    }
                }
            }
        }"
    ));
}

/// Whoever evaluates control again finds numbers in tables, not what an operator of the user's
/// gives.
#[test]
fn tables_from_outside_are_numbers_by_reference() {
    let text = grains(
        "pub fn mixed(n: usize, #[structure] kind: &[u8], x: &mut [f64]) {
            for i in 0..n {
                x[tables::SIGMA[i % 4][CX[kind[i] as usize]]] *= 0.5;
            }
        }",
    );
    let text: String = text.split_whitespace().collect();
    for table in ["tables::SIGMA", "CX"] {
        let uses = text.matches(table).count();
        assert!(uses > 0, "{table}");
        assert_eq!(text.matches(&format!("number(&{table}")).count(), uses);
    }
}

/// A number in common is the word of an array where it is written at times, or in a loop over rows.
/// It is in a variable where a statement reads or writes it in any case. If it is written, and only
/// then, it is stored behind the grain.
#[test]
fn numbers_in_common_are_stored_where_they_are_tracked() {
    insta::assert_snapshot!(grains(
        "pub fn scaled(n: usize, change: bool, v: &[f64], x: &mut [f64], out: &mut f64) {
            let mut s = v[0];
            for i in 0..n {
                x[i] *= s;
            }
            *out = s;
            for i in 0..n {
                x[i] += s;
            }
            x[0] = s;
            if change {
                s = 2.0;
            }
            for i in 0..n {
                x[i] -= s;
            }
        }"
    ));
}

/// Ranges are told beside control that changes, but not where a jump may end the loop or leave out
/// a part of it.
#[test]
fn ranges_are_told_beside_control() {
    let track = |body: &str| {
        let text = grains(&format!(
            "pub fn gather(n: usize, #[structure] row: &[usize], #[structure] place: &[usize], a: &mut [f64]) {{
                for i in 0..n {{
                    let mut update = row[i];
                    for f in row[i]..row[i + 1] {{ {body} }}
                }}
            }}"
        ));
        let start = text.find("fn track").expect("there is a track function");
        let end = text
            .find("fn compute")
            .expect("there is a compute function");
        text[start..end].to_owned()
    };
    insta::assert_snapshot!(track(
        "a[place[update]] -= a[f + n] * a[row[i]]; update += 1; if update > n { a[update] += 1.0; }"
    ));
    for jump in ["break", "continue"] {
        let told = track(&format!(
            "a[f] += 1.0; if place[f] > n {{ {jump}; }} update += 1;"
        ));
        assert!(!told.contains("update_all"), "{told}");
    }
    // Where the loop changes what an index names, the words are not those of a range.
    let told = track("a[f + update] += 1.0; update += 2;");
    assert!(!told.contains("update_all"), "{told}");
}

#[test]
fn a_guard_reads_what_it_names_and_gives_up() {
    let guarded =
        "pub fn roots(n: usize, #[structure] at: &[usize], x: &mut [f64]) -> Result<(), Negative> {
        for i in 0..n {
            #[guard]
            if i > 0 && x[at[i]] < 0.0 {
                return Err(Negative(i, x[i]));
            }
            x[i] = x[at[i]].sqrt();
        }
        Ok(())
    }";
    insta::assert_snapshot!(grains(guarded));
    // Nothing is generated for it: the build says so.
    let item: proc_macro2::TokenStream = guarded.parse().expect("the kernel has tokens");
    let expanded = crate::expand(&super::context(Side::Build), quote::quote!(plan), item);
    let text = prettyplease::unparse(&syn::parse2(expanded).expect("the expansion is Rust"));
    let trace = &text[text.find("fn trace").expect("there is a trace function")..];
    assert!(trace.contains("recorder.can_give_up();"), "{trace}");
    assert!(!trace.contains("recorder.task("), "{trace}");
}

/// A loop is recorded where structure says which statements run, and no name of it is used behind.
#[test]
fn loops_are_recorded_where_their_conditions_are_structures() {
    let records = |body: &str| {
        let text = grains(&format!(
            "pub fn merge(n: usize, #[structure] row: &[usize], #[structure] col: &[usize], #[values] l: &[f64], a: &mut [f64]) {{
                for i in 0..n {{
                    let mut at = row[i];
                    {body}
                }}
            }}"
        ));
        text.contains("begin_run")
    };
    let merge = "for e in row[i]..row[i + 1] { while col[at] < col[e] { at += 1; } if col[at] == col[e] { a[at] -= a[e]; } }";
    assert!(records(merge));
    assert!(records(
        "for e in row[i]..row[i + 1] { a[i] -= l[e] * a[col[e]]; }"
    ));
    let uses_at = format!("{merge} a[at] += 1.0;");
    assert!(!records(&uses_at));
    // Places that stand on no tape otherwise.
    assert!(!records("for e in row[i]..row[i + 1] { a[e] += 1.0; }"));
    assert!(!records("for e in 0..n { a[e] += 1.0; }"));
    // Loops inside, and ways out.
    assert!(!records(
        "for e in row[i]..row[i + 1] { for f in 0..col[e] { a[f] += 1.0; } a[col[e]] += 1.0; }"
    ));
    assert!(!records(
        "'out: for e in row[i]..row[i + 1] { if col[e] > n { break 'out; } a[col[e]] += 1.0; }"
    ));
}
