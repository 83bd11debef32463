//! What the text of a statement tells about the time that it takes.

use superstep_tracer::Statement;

/// The operators in an assignment, as its text has them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Operations {
    /// Additions, subtractions, multiplications, minima and maxima.
    pub(super) operations: f64,
    /// Divisions and square roots.
    pub(super) divisions: f64,
    /// Values chosen by an `if`.
    pub(super) choices: f64,
    /// Whether it is `+=` or the like.
    pub(super) is_compound: bool,
}

/// Whether a task of a statement puts a word from one place into another and does nothing else: `x[i] = y.part[j]`, `*x = *y`.
pub(crate) fn is_move(statement: &Statement) -> bool {
    let Some((_, right)) = statement.text.split_once(" = ") else {
        return false;
    };
    let mut depth = 0;
    let mut is_place = |character: char| {
        depth += i32::from(character == '[') - i32::from(character == ']');
        depth > 0 || character.is_alphanumeric() || "_.]".contains(character)
    };
    let right = right.trim().trim_start_matches('*');
    right.chars().all(&mut is_place) && statement.operands.len() == 1
}

impl Operations {
    /// Counts them outside indices. Of the two ways through an `if` each counts half.
    pub(super) fn of(text: &str) -> Self {
        let mut found = Self::default();
        let mut depth = 0;
        // A leading `*` is no product.
        let text = text.trim_start_matches('*');
        let mut before = ' ';
        for character in text.chars() {
            match character {
                '[' => depth += 1,
                ']' => depth -= 1,
                '+' | '-' | '*' if depth == 0 => found.operations += 1.0,
                '/' if depth == 0 => found.divisions += 1.0,
                '=' if depth == 0 && "+-*/".contains(before) => found.is_compound = true,
                _ => {}
            }
            before = character;
        }
        let count = |name: &str| text.matches(name).count() as f64;
        found.operations += count("max(") + count("min(");
        found.divisions += count("sqrt(");
        if text.contains("if ") {
            found.choices = 1.0;
            found.operations /= 2.0;
            found.divisions /= 2.0;
        }
        found
    }
}

pub(super) fn is_complex(element: &str) -> bool {
    element.contains("Complex")
}

pub(super) fn is_integer(element: &str) -> bool {
    let bits = element.trim().strip_prefix(['u', 'i']);
    bits.is_some_and(|bits| bits == "size" || bits.parse::<u8>().is_ok())
}

/// Whether an integer that a single statement computes is chosen by an `if` that does not look at the statement's component `c`. Compilers make a
/// branch of it where a loop waits for the choice, and a core goes on with the way that it foresees. (Where two rows go side by side they make
/// conditional moves.)
pub(super) fn is_foreseen(text: &str, c: usize) -> bool {
    let Some((condition, _, _)) = ways(text) else {
        return false;
    };
    let mut depth = 0;
    let mut words = 0;
    for character in condition.chars() {
        words += usize::from(character == '[' && depth == 0);
        depth += i32::from(character == '[') - i32::from(character == ']');
    }
    // Operands are numbered from 1, as they appear.
    c > words
}

/// The condition and the two ways of the first `if` in a text.
fn ways(text: &str) -> Option<(&str, &str, &str)> {
    let (condition, rest) = text.split_once("if ")?.1.split_once('{')?;
    let (way, other) = rest.split_once("else")?;
    Some((condition, way, other))
}

/// Instructions on integers that wait for each other in a statement. A minimum, a maximum and a choice are a comparison and a move; of an `if` the
/// longer way counts.
pub(super) fn instructions(text: &str) -> f64 {
    if let Some((_, way, other)) = ways(text) {
        return 2.0 + instructions(way).max(instructions(other));
    }
    let text = text.trim_start_matches('*');
    let extremes = text.matches("max(").count() + text.matches("min(").count();
    let Operations { operations, .. } = Operations::of(text);
    operations + extremes as f64
}

#[cfg(test)]
mod tests {
    use superstep_tracer::Kernel;

    use super::*;

    #[test]
    fn moves_compute_nothing() {
        let is_move = |text: &str| {
            let mut kernel = Kernel::new("k");
            let x = kernel.add_array("x", superstep_tracer::Role::InOut, None);
            kernel.add_statement(text, x, &[x]);
            super::is_move(&kernel.statements[0])
        };
        let moves = [
            "x[j] = moved",
            "let moved: Complex<f64> = x[i]",
            "x[i] = points[n - 1 - i].x",
            "*last = *x",
        ];
        assert_eq!(moves.map(is_move), [true; 4]);
        let others = [
            "x[i] = y[i] % 7",
            "x[i] += y[i]",
            "x[i] <<= y[i]",
            "x[i] = y[i] as u64",
            "x[i] = f(y[i])",
            "x[i] = -y[i]",
            "x[i] = y[i].sqrt()",
        ];
        assert_eq!(others.map(is_move), [false; 7]);
    }

    #[test]
    fn of_a_choice_the_longer_way_waits() {
        let lcs = "x[j] = if a[i] == b[y[j]] { x[j - 1] + 1 } else { x[j].max(z[j]) }";
        assert_eq!(instructions(lcs), 4.0);
        assert_eq!(
            instructions("x[j] = x[j - 1].min(y[j]).min(y[j - 1]) + 1"),
            5.0
        );
        // What the condition looks at is not foreseen, nor is a maximum.
        assert_eq!([2, 3].map(|c| is_foreseen(lcs, c)), [false, true]);
        assert!(!is_foreseen("x[j] = x[j - 1].max(y[j])", 1));
    }

    #[test]
    fn operations_are_counted_outside_indices() {
        let count = |text| {
            let Operations {
                operations,
                divisions,
                is_compound,
                ..
            } = Operations::of(text);
            (operations, divisions, is_compound)
        };
        assert_eq!(
            count("a[i * n + j] -= a[i * n + k] * a[k * n + j]"),
            (2.0, 0.0, true)
        );
        assert_eq!(count("x[i] /= values[row[i + 1] - 1]"), (0.0, 1.0, true));
        assert_eq!(count("*change = change.sqrt()"), (0.0, 1.0, false));
        assert_eq!(
            count("if a[i] == b[j] { x[j] + 1 } else { x[j].max(y) }"),
            (1.0, 0.0, false)
        );
        assert_eq!(count("x[i] = 0.0"), (0.0, 0.0, false));
    }

    #[test]
    fn integers_are_told_by_their_types() {
        let integers =
            ["u8", "i64", "usize", "f64", "bool", "Complex<f64>", "index"].map(is_integer);
        assert_eq!(integers, [true, true, true, false, false, false, false]);
    }
}
