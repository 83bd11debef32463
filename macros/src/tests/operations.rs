//! Tests of the operations and forms of statements, as the syntax tree has them.

use crate::calls::Callees;
use crate::errors::Errors;
use crate::lower::{Form, Functions, Lowered, Operations};
use crate::types::Types;

/// Lowers statements over the arrays `x`, `y` and `p` and the word `s`, in a loop over `i`.
fn lowered(statements: &str) -> Lowered {
    let source = format!(
        "fn k(
            n: usize, #[structure] kind: &[u8], x: &[i32],
            y: &mut [i32], p: &mut [Point], s: &mut i32,
        ) {{
            for i in 0..n {{ {statements} }}
        }}"
    );
    let function = syn::parse_str(&source).expect("the kernel is a function");
    let mut errors = Errors::default();
    let function = crate::reduce::rewrite(&function, &mut errors);
    let kernel = crate::parse::kernel(&function, &Callees::default(), &mut errors)
        .expect("the signature is a kernel's");
    let types = Types::infer(&kernel);
    let classes = crate::classify::classify(&kernel, &types, &mut errors);
    let lowered = crate::lower::lower(&kernel, &types, &classes, &mut errors);
    errors.finish().expect("the kernel is in the language");
    lowered
}

/// Prints numbers that are not zero in the order of the fields, calls, and choices as
/// `{operands}(condition){way}{way}`.
fn text(operations: &Operations) -> String {
    let numbers = [
        ("add", operations.additions),
        ("multiply", operations.multiplications),
        ("extreme", operations.extremes),
        ("bits", operations.bits),
        ("divide", operations.divisions),
        ("root", operations.roots),
        ("cast", operations.casts),
    ];
    let numbers = numbers.into_iter().filter(|(_, number)| *number > 0);
    let mut words: Vec<String> = numbers
        .map(|(name, number)| format!("{name} {number}"))
        .collect();
    words.extend(operations.calls.iter().cloned());
    words.extend(operations.choices.iter().map(|choice| {
        let ways = choice.ways.iter().map(|way| format!("{{{}}}", text(way)));
        let ways = ways.collect::<String>();
        format!("{:?}({}){ways}", choice.operands, text(&choice.condition))
    }));
    words.join(", ")
}

/// Prints the operations of the only statement.
fn operations(statement: &str) -> String {
    let lowered = lowered(statement);
    assert_eq!(lowered.statements.len(), 1, "{statement}");
    text(&lowered.statements[0].operations(&Functions::default()))
}

#[test]
fn operators_and_methods_of_numbers_are_counted_outside_indices() {
    let counted = [
        ("y[i] = 0;", ""),
        (
            "y[2 * i + 1] -= x[i * n + 1] * x[i - 1];",
            "add 1, multiply 1",
        ),
        ("y[i] /= x[kind[i + 1] as usize - 1];", "divide 1"),
        (
            "y[i] = x[i].max(*s).min(3) + i32::min(x[i], 2);",
            "add 1, extreme 3",
        ),
        ("y[i] = -x[i] - -1;", "add 2"),
        ("y[i] = *s / 2 + x[i].isqrt();", "add 1, divide 1, root 1"),
        (
            "y[i] = TABLE[(x[i] * 2) as usize] + i as i32;",
            "add 1, cast 1",
        ),
        ("y[i] = (x[i] % 3) & 5 | !x[i] << 2;", "multiply 1, bits 3"),
        ("y[i] = x[i] % y[i] ^ x[i] >> 1;", "bits 2, divide 1"),
        ("y[i] %= 3;", "multiply 1"),
        ("y[i] %= x[i];", "divide 1"),
        // Comparisons.
        ("y[i] = i32::from(x[i] < 3);", "i32::from"),
    ];
    for (statement, expected) in counted {
        assert_eq!(operations(statement), expected, "{statement}");
    }
}

#[test]
fn other_functions_are_called_by_their_names() {
    let called = [
        (
            "y[i] = helper::f(x[i] + 1, x[i].pow(2));",
            "add 1, helper::f, pow",
        ),
        (
            "y[i] = max(x[i], 1, 2) + fold!(3 - 1);",
            "add 1, max, fold!",
        ),
        ("p[i] = Point(x[i] * 2, Some(1));", "multiply 1"),
    ];
    for (statement, expected) in called {
        assert_eq!(operations(statement), expected, "{statement}");
    }
}

/// Prints the operations of `y[i] = {value};` where its file has these functions.
fn with_functions(value: &str, file: &str) -> String {
    let lowered = lowered(&format!("y[i] = {value};"));
    text(&lowered.statements[0].operations(&Functions::of_text(file)))
}

#[test]
fn functions_of_the_kernels_file_are_counted_by_their_bodies() {
    let file = "
        const STEPS: usize = 3;
        fn twice(v: i32) -> i32 { v + v }
        mod inner { fn power(v: i32) -> i32 { let s = super::twice(v); s * s * s } }
        fn steps(v: i32) -> i32 {
            let mut v = v;
            for _ in 0..STEPS { for k in (1..=4).rev() { v ^= v.pow(k) / 2; } }
            v
        }
        fn chosen(v: i32) -> i32 { if v % 2 == 0 { v - 1 } else { v * v + v } }
        impl Point { fn norm(&self) -> f64 { (self.x * self.x).sqrt() } }
        fn folded(v: i32) -> i32 {
            (0..STEPS).rev().map(|k| v * k).fold(1 - v, |v, w| twice(v) - w)
        }
        fn many(v: i32) -> i32 { for _ in 0..1000 { v += v * v; } v }
        fn breaks(v: i32) -> i32 { for _ in 0..50 { v += 1; if v > 3 { break; } } v }
        fn returns(v: i32) -> i32 { for _ in 0..50 { if v > 3 { return v; } v += 1; } v }
        fn labelled(v: i32) -> i32 {
            'all: for _ in 0..50 { for _ in 0..2 { v += 1; if v > 3 { break 'all; } } } v
        }
        fn inner(v: i32) -> i32 { for _ in 0..50 { for _ in 0..2 { v += 1; break; } } v }
        fn soon(v: i32) -> i32 { for _ in 0..3 { v += 1; if v > 3 { break; } } v }
    ";
    let counted = [
        ("twice(x[i]) + 1", "add 2"),
        ("self::inner::power(x[i])", "add 1, multiply 2"),
        (
            "steps(x[i])",
            &format!("bits 12, divide 12{}", ", pow".repeat(12)),
        ),
        ("chosen(x[i])", "add 1, multiply 2, extreme 1"),
        ("p[i].norm() as i32", "multiply 1, root 1, cast 1"),
        ("Point::norm(&p[i]) as i32", "multiply 1, root 1, cast 1"),
        ("folded(x[i])", "add 7, multiply 3"),
        ("many(x[i])", "add 1000, multiply 1000"),
        // Nine steps, where one may be the last.
        ("breaks(x[i])", "add 9, extreme 9"),
        ("returns(x[i])", "add 9, extreme 9"),
        ("labelled(x[i])", "add 18, extreme 18"),
        ("inner(x[i])", "add 100"),
        ("soon(x[i])", "add 3, extreme 3"),
        // Not those that are called so.
        ("x[i].twice()", "twice"),
        ("norm(x[i])", "norm"),
    ];
    for (value, expected) in counted {
        assert_eq!(with_functions(value, file), expected, "{value}");
    }
}

#[test]
fn functions_that_may_take_any_time_are_called_by_their_names() {
    let bodies = [
        "{ while v > 0 { v -= 1; } v }",
        "{ loop { v -= 1; if v < 3 { return v; } } }",
        "{ for k in 0..v { v += k; } v }",
        "{ (0..v).map(|k| k * v).sum() }",
        "{ (0..3).find(|&k| k == v) }",
        "{ TABLE.iter().sum() }",
        "{ for _ in 0..257 { v = v.pow(2); } v }",
        "{ f(v - 1) }",
        "{ v } fn f(v: f32) -> f32 { v + 1.0 }",
        "{ v +",
    ];
    for body in bodies {
        let file = format!("fn f(mut v: i32) -> i32 {body}");
        let expected = if body == "{ f(v - 1) }" {
            "add 1, f"
        } else {
            "f"
        };
        assert_eq!(with_functions("f(x[i])", &file), expected, "{body}");
    }
    // Each calls the one before it twice.
    let chain = (1..40).map(|n| format!("fn f{n}(v: i32) -> i32 {{ f{0}(v) + f{0}(v) }}", n - 1));
    let chain = chain.collect::<String>() + "fn f0(v: i32) -> i32 { v * v }";
    assert_eq!(with_functions("f3(x[i])", &chain), "add 7, multiply 8");
    assert_eq!(
        with_functions("f39(x[i])", &chain),
        format!("add {0}, multiply {0}", 1 << 24)
    );
    let none = lowered("y[i] = f(x[i]);");
    let missing = Functions::of_file("nowhere/kernels.rs");
    assert_eq!(text(&none.statements[0].operations(&missing)), "f");
}

#[test]
fn costs_are_declared_beside_an_assignment_or_a_let() {
    let declared = [
        ("#[cost(60)] y[i] = x[i] + 1;", Some(60)),
        ("#[cost(0)] y[i] += x[i];", Some(0)),
        ("#[cost(7)] *s = x[i];", Some(7)),
        ("#[cost(8)] p[i].x = x[i];", Some(8)),
        ("y[i] = x[i];", None),
    ];
    for (statement, nanoseconds) in declared {
        let lowered = lowered(statement);
        assert_eq!(
            lowered.statements[0].operations(&Functions::default()).cost,
            nanoseconds,
            "{statement}"
        );
        assert!(
            !lowered.statements[0].source.text.contains("cost"),
            "{statement}"
        );
    }
    // Both that compute the values of a sum have it, and those that combine blocks have not.
    let sum = lowered("#[reduce] for j in 0..n { #[cost(60)] *s += x[j]; }");
    let costs = sum
        .statements
        .iter()
        .map(|s| s.operations(&Functions::default()).cost);
    assert_eq!(costs.collect::<Vec<_>>(), [Some(60), Some(60), None, None]);
    let lowered =
        lowered("#[cost(9)] let mut t = x[i]; t += 1; if i > 3 { #[cost(5)] t += 1; } y[i] = t;");
    let costs = lowered
        .statements
        .iter()
        .map(|s| s.operations(&Functions::default()).cost);
    assert_eq!(costs.collect::<Vec<_>>(), [Some(9), None, Some(5), None]);
}

#[test]
fn choices_say_what_decides_them_and_what_each_way_does() {
    let chosen = [
        (
            "y[i] = 2 * if x[i] + 1 == *s { y[i - 1] + 1 } else { y[i].max(x[i]) };",
            "multiply 1, {0, 1}(add 1){add 1}{extreme 1}",
        ),
        (
            "y[i] = if x[i] > 1 { 1 } else if *s > 1 { x[i] * x[i] } else { 0 };",
            "{0}(){}{{1}(){multiply 1}{}}",
        ),
        // What an update changes is its first operand.
        ("y[i] += if x[i] > 1 { 1 } else { 0 };", "add 1, {1}(){}{}"),
        (
            "y[i] = match x[i] { 0 => *s / 2, v if v + *s > 3 => v * v * v, _ => 1 };",
            "{0, 1}(add 1){divide 1}{multiply 2}{}",
        ),
        // Names pass on what they are made of; one arm is no choice.
        (
            "y[i] = { let a = *s - 1; let b = a; if b > 2 { x[i] } else { b } };",
            "add 1, {0}(){}{}",
        ),
        (
            "y[i] = match *s - x[i] { c => if c > 2 { c * 2 } else { x[i + 1] } };",
            "add 1, {0, 1}(){multiply 1}{}",
        ),
        (
            "y[i] = { let mut a = x[i]; if a < 0 { a = -a; } a };",
            "{0}(){add 1}{}",
        ),
        (
            "y[i] = if TABLE[*s as usize] > 0 { 1 } else { 2 };",
            "{0}(){}{}",
        ),
        // A condition on control decides by no operand.
        (
            "y[i] = x[i] * if i % 2 == 0 { 1 } else { -1 };",
            "multiply 1, {}(multiply 1){}{}",
        ),
    ];
    for (statement, expected) in chosen {
        assert_eq!(operations(statement), expected, "{statement}");
    }
}

/// Each variant has the operations that it executes.
#[test]
fn a_condition_on_control_is_no_choice_where_it_guards_a_read() {
    let lowered = lowered("y[i] = if i > 0 { x[i - 1] + 1 } else { x[i] };");
    let all = lowered.statements.iter();
    let all: Vec<_> = all
        .map(|s| (s.form(), text(&s.operations(&Functions::default()))))
        .collect();
    let expected = [(Form::Value, "add 1".into()), (Form::Move, String::new())];
    assert_eq!(all, expected);
}

#[test]
fn moves_compute_nothing() {
    let form = |statement| {
        let lowered = lowered(statement);
        lowered.statements.last().expect("there is one").form()
    };
    let moves = [
        "y[i] = x[n - 1 - i];",
        "y[i] = *s;",
        "*s = (p[i].at[1].x);",
        "let t: i32 = x[i];",
    ];
    assert_eq!(moves.map(form), [Form::Move; 4]);
    let values = [
        "y[i] = 7;",
        "y[i] = x[i] % 7;",
        "y[i] = x[i] as i32;",
        "y[i] = f(x[i]);",
        "y[i] = -x[i];",
        "y[i] = !x[i];",
        "y[i] = x[i].abs();",
        "y[i] = p[i].at[x[i] as usize];",
        "p[i].x = x[i];",
    ];
    assert_eq!(values.map(form), [Form::Value; 9]);
    let updates = ["y[i] += x[i];", "y[i] <<= 1;", "p[i].x %= x[i];"];
    assert_eq!(updates.map(form), [Form::Compound; 3]);
}
