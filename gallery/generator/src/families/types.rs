//! One kernel for each type of data, with every compound assignment that the type has.

use super::over;
use crate::draw::Draw;
use crate::kernel::{Kernel, Shape};
use crate::word::Word;

/// A recurrence, a reversed pass and a scatter by a stride, for each type.
pub(super) fn kernels() -> Vec<Kernel> {
    Word::ALL
        .iter()
        .enumerate()
        .map(|(number, &word)| kernel(number, word))
        .collect()
}

fn kernel(number: usize, word: Word) -> Kernel {
    let mut draw = Draw::new(2000 + number as u64);
    let n = draw.between(30, 90);
    let plain = word.name().replace("<f64>", "").to_lowercase();
    let recurrence = over(&mut draw, word, &["a[i - 1]", "b[i]", "a[i]"]);
    let control = word.from_control("i");
    let table = over(
        &mut draw,
        word,
        &["c[i % 5][i / 5 % 3]", "a[n - 1 - i]", &control],
    );
    let choice = over(&mut draw, word, &["a[3 * i % n]", "c[4][2]", "b[i]"]);
    let mut compounds = String::new();
    for step in 1..=6 {
        let value = over(&mut draw, word, &["b[i]", "a[i - 1]"]);
        let compound = word.compound(&mut draw, &value);
        compounds += &format!("for i in ({step}..n).step_by(6) {{\na[i] {compound};\n}}\n");
    }
    Kernel::new(
        format!("over_{plain}"),
        format!("Assignments of every form over `{}`.", word.name()),
    )
    .size("n", n)
    .inout("a", word, n)
    .input("b", word, n)
    .data("c", word, Shape::InOutArray(vec![5, 3]))
    .body(format!(
        "for i in 1..n {{
                a[i] = {recurrence};
            }}
            for i in (0..n).rev() {{
                c[i % 5][i / 5 % 3] = {table};
            }}
            {compounds}
            for i in 0..n {{
                a[i] = {choice};
            }}"
    ))
}
