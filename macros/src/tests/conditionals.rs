//! Tests of conditions inside an assignment's value: which become control, and what variants read.

use insta::assert_snapshot;
use quote::quote;

use crate::calls::Callees;
use crate::errors::Errors;
use crate::kernel::Kernel;
use crate::lower::{Body, Lowered, Node};
use crate::types::Types;

/// Returns the variants of the only assignment in `for i in 0..n`, with their conditions, as `value
/// <- operands`.
fn variants(value: &str) -> String {
    let source = format!(
        "fn k(n: usize, #[structure] kind: &[u8], x: &[f64], y: &mut [f64]) {{ for i in 0..n {{ y[kind[n] as usize] = {value}; }} }}"
    );
    let function = syn::parse_str(&source).expect("the kernel is a function");
    let mut errors = Errors::default();
    let kernel = crate::parse::kernel(&function, &Callees::default(), &mut errors)
        .expect("the signature is a kernel's");
    let types = Types::infer(&kernel);
    let classes = crate::classify::classify(&kernel, &types, &mut errors);
    let lowered = crate::lower::lower(&kernel, &types, &classes, &mut errors);
    errors.finish().expect("the kernel is in the language");
    let [Node::For(each)] = &lowered.nodes[..] else {
        unreachable!("the body is a loop");
    };
    let mut text = String::new();
    show(&kernel, &lowered, &each.body, 0, &mut text);
    text
}

fn show(kernel: &Kernel, lowered: &Lowered, nodes: &[Node], depth: usize, text: &mut String) {
    let names = &kernel.bindings;
    let line = |text: &mut String, depth: usize, words: String| {
        *text += &format!("{}{words}\n", "    ".repeat(depth));
    };
    for node in nodes {
        match node {
            Node::Task(task) => {
                let statement = &lowered.statements[task.statement];
                let Body::Value(value) = &statement.body else {
                    unreachable!("the assignment is plain");
                };
                let value = names.restore(value.clone());
                let operands = statement.operands.iter().zip(&task.operands);
                let operands = operands.map(|(&array, at)| {
                    let array = &names[lowered.arrays[array].id].name;
                    let at = at.iter().map(|index| names.text(index));
                    format!("{array}[{}]", at.collect::<Vec<_>>().join("]["))
                });
                let control = task.control.iter().map(|(value, _)| names.text(value));
                let reads: Vec<String> = operands.chain(control).collect();
                let words = format!("{} <- {}", quote!(#value), reads.join(", "));
                let words = words.trim_end().to_owned();
                line(text, depth, words);
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                line(text, depth, format!("if {}", names.text(condition)));
                show(kernel, lowered, then, depth + 1, text);
                line(text, depth, "else".into());
                let otherwise = otherwise.as_deref().unwrap_or_default();
                show(kernel, lowered, otherwise, depth + 1, text);
            }
            Node::Match { scrutinee, arms } => {
                line(text, depth, format!("match {}", names.text(scrutinee)));
                for (pattern, body) in arms {
                    let pattern = names.restore_pattern(pattern.clone());
                    line(text, depth + 1, quote!(#pattern).to_string());
                    show(kernel, lowered, body, depth + 2, text);
                }
            }
            _ => unreachable!("an assignment has no other control"),
        }
    }
}

#[test]
fn a_condition_on_control_guards_its_branches() {
    assert_snapshot!(variants("if i > 0 { x[i - 1] } else { x[i] }"), @"
    if i > 0
        o0 <- x[i - 1]
    else
        o0 <- x[i]
    ");
}

#[test]
fn nothing_is_guarded_where_nothing_is_read() {
    assert_snapshot!(variants("x[i] * if i % 2 == 0 { 1.0 } else { -1.0 }"), @"o0 * if c0 % 2 == 0 { 1.0 } else { - 1.0 } <- x[i], i");
}

#[test]
fn data_reads_all_its_branches() {
    assert_snapshot!(variants("if x[i] > 0.5 { x[i + 1] } else { 0.0 }"), @"if o0 > 0.5 { o1 } else { 0.0 } <- x[i], x[i + 1]");
}

#[test]
fn of_a_mixed_condition_the_control_guards() {
    assert_snapshot!(variants("if x[i] > 0.5 && i > 0 { x[i - 1] } else { 0.0 }"), @"
    if i > 0
        (if o0 > 0.5 { o1 } else { 0.0 }) <- x[i], x[i - 1]
    else
        0.0 <-
    ");
    assert_snapshot!(variants("if !(i == 0 || x[i - 1] < 0.5) { x[i - 1] } else { 0.0 }"), @"
    if i == 0
        0.0 <-
    else
        (if ! (o0 < 0.5) { o0 } else { 0.0 }) <- x[i - 1]
    ");
}

#[test]
fn a_truth_value_skips_what_its_control_decides() {
    assert_snapshot!(variants("f(i > 0 && (x[i - 1] > 0.5 || i == 7 || x[i + 1] < 1.0))"), @"
    if i > 0
        if i == 7
            f ((true)) <-
        else
            f ((((o0 > 0.5) || (o1 < 1.0)))) <- x[i - 1], x[i + 1]
    else
        f (false) <-
    ");
    assert_snapshot!(variants("f(x[i] > 0.5 && i > 0)"), @"f (o0 > 0.5 && c0 > 0) <- x[i], i");
}

#[test]
fn a_match_on_control_guards_its_arms() {
    assert_snapshot!(variants("match kind[i] { 0 => x[i], k if k > 3 => x[i - k as usize], k => k as f64 }"), @"
    match kind[i]
        0
            o0 <- x[i]
        k if k > 3
            o0 <- x[i - k as usize]
        k_2
            (c0 as f64) <- k
    ");
}

#[test]
fn a_match_on_data_is_guarded_by_the_control_in_its_guards() {
    assert_snapshot!(variants("match x[i] { v if v > 0.5 && i > 0 => v + x[i - 1], v => v }"), @"
    if i > 0
        (match o0 { v if v > 0.5 => v + o1 , v_2 => v_2 }) <- x[i], x[i - 1]
    else
        (match o0 { v_2 => v_2 }) <- x[i]
    ");
}

#[test]
fn guards_nest() {
    assert_snapshot!(
        variants("x[i] + if i > 0 { if i > 1 { x[i - 2] } else { x[i - 1] } } else { 0.0 } * if n > 9 { x[9] } else { 1.0 }"),
        @"
    if i > 0
        if i > 1
            if n > 9
                o0 + (o1) * o2 <- x[i], x[i - 2], x[9]
            else
                o0 + (o1) * 1.0 <- x[i], x[i - 2]
        else
            if n > 9
                o0 + (o1) * o2 <- x[i], x[i - 1], x[9]
            else
                o0 + (o1) * 1.0 <- x[i], x[i - 1]
    else
        if n > 9
            o0 + 0.0 * o1 <- x[i], x[9]
        else
            o0 + 0.0 * 1.0 <- x[i]
    "
    );
}

#[test]
fn what_a_block_binds_stays_in_it() {
    assert_snapshot!(variants("{ let t = x[i]; if i > 0 { let u = x[i - 1]; t * u } else { t } }"), @"
    if i > 0
        { let t = o0 ; { let u = o1 ; t * u } } <- x[i], x[i - 1]
    else
        { let t = o0 ; t } <- x[i]
    ");
}
