//! Work of a statement, from its operations.

use superstep_tracer::{Form, Operations, Statement};

use super::calls::{Price, price};

/// Operations that a task executes, in the mean over its ways.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Work {
    /// Additions, subtractions, multiplications, minima and maxima, operations on bits, and calls
    /// that take as little.
    pub(super) operations: f64,
    /// Divisions and square roots.
    pub(super) divisions: f64,
    /// Values chosen: one, however many choices stand in the statement.
    pub(super) choices: f64,
    /// Other calls, in operations that wait for each other.
    pub(super) calls: f64,
    /// Nanoseconds, where the kernel says how many: then there is nothing else.
    pub(super) declared: f64,
}

impl Work {
    /// Counts the work. Half of a statement that chooses is taken to be executed.
    pub(super) fn of(operations: &Operations) -> Self {
        let part = correction(operations);
        if let Some(nanoseconds) = operations.cost {
            return Self {
                declared: part * f64::from(nanoseconds),
                ..Self::default()
            };
        }
        let all = operations.total();
        let is_chosen = !operations.choices.is_empty();
        let share = if is_chosen { 0.5 * part } else { part };
        let (mut simple, mut calls) = (0, 0.0);
        for call in &all.calls {
            match price(call) {
                Price::Instructions(count) => simple += count,
                Price::Latency(latency) => calls += latency,
            }
        }
        simple += all.additions + all.multiplications + all.extremes + all.bits;
        Self {
            operations: share * f64::from(simple),
            divisions: share * f64::from(all.divisions + all.roots),
            choices: if is_chosen { part } else { 0.0 },
            calls: share * calls,
            declared: 0.0,
        }
    }
}

/// Returns the part of its work as written that a statement is measured to take.
fn correction(operations: &Operations) -> f64 {
    operations
        .correction
        .map_or(1.0, |thousandths| 1e-3 * f64::from(thousandths))
}

/// Counts the instructions on integers that wait for each other in a statement.
///
/// A minimum, a maximum and a choice are a comparison and a move; of a choice the longest way
/// counts. None count where a [cost](Operations::cost) is declared, which includes them.
pub(super) fn instructions(operations: &Operations) -> f64 {
    if operations.cost.is_some() {
        return 0.0;
    }
    let Operations {
        additions,
        multiplications,
        extremes,
        bits,
        ref choices,
        ..
    } = *operations;
    let chosen = choices.iter().map(|choice| {
        let ways = choice.ways.iter().map(instructions);
        2.0 + ways.fold(0.0, f64::max)
    });
    let simple = f64::from(additions + multiplications + 2 * extremes + bits);
    correction(operations) * (simple + chosen.sum::<f64>())
}

/// Returns whether a statement chooses an integer by conditions that do not look at its component
/// `c`.
///
/// Compilers make a branch of the conditions where a loop of that statement alone waits for the
/// choice. A core then goes on with the way that it foresees. (Where two rows go side by side they
/// make conditional moves.) A word that a compound assignment updates is not chosen.
pub(super) fn is_foreseen(statement: &Statement, c: usize) -> bool {
    let Statement {
        form, operations, ..
    } = statement;
    // Before the operands there is the word that it writes.
    let chosen = if *form == Form::Compound { 2 } else { 1 };
    c >= chosen && !operations.choices.is_empty() && !decides(operations, c as u16 - 1)
}

/// Returns whether an operand decides a choice, or one in a way of another.
fn decides(operations: &Operations, operand: u16) -> bool {
    operations.choices.iter().any(|choice| {
        choice.operands.contains(&operand) || choice.ways.iter().any(|way| decides(way, operand))
    })
}

#[cfg(test)]
mod tests {
    use superstep_tracer::{Choice, Kernel, Role};

    use super::*;

    /// Counts `if a[i] == b[y[j]] { x[j - 1] + 1 } else { x[j].max(z[j]) }`.
    fn longest_common() -> Operations {
        let longer = Operations {
            additions: 1,
            ..Operations::default()
        };
        let larger = Operations {
            extremes: 1,
            ..Operations::default()
        };
        let choice = Choice {
            operands: vec![0, 1],
            ways: vec![longer, larger],
            ..Choice::default()
        };
        Operations {
            choices: vec![choice],
            ..Operations::default()
        }
    }

    #[test]
    fn of_a_choice_the_longer_way_waits_and_half_is_executed() {
        assert_eq!(instructions(&longest_common()), 4.0);
        let work = Work {
            operations: 1.0,
            divisions: 0.0,
            choices: 1.0,
            ..Work::default()
        };
        assert_eq!(Work::of(&longest_common()), work);
        // x[j] = x[j - 1].min(y[j]).min(y[j - 1]) + 1
        let smallest = Operations {
            additions: 1,
            extremes: 2,
            ..Operations::default()
        };
        assert_eq!(instructions(&smallest), 5.0);
    }

    #[test]
    fn what_decides_a_choice_is_not_foreseen_nor_is_what_is_not_chosen() {
        let mut kernel = Kernel::new("k");
        let x = kernel.add_array("x", Role::InOut, None);
        let mut foreseen = |form, operations| {
            kernel.add_statement_with("", x, &[x; 4], form, operations);
            let statement = kernel.statements.last().expect("it has been added");
            [0, 1, 2, 3].map(|c| is_foreseen(statement, c))
        };
        let nested = |inner| {
            let mut outer = longest_common();
            outer.choices[0].ways[1].choices = vec![Choice {
                operands: vec![inner],
                ..Choice::default()
            }];
            outer
        };
        let larger = Operations {
            extremes: 1,
            ..Operations::default()
        };
        let cases = [longest_common(), nested(2), nested(3), larger];
        let cases = cases.map(|operations| foreseen(Form::Value, operations));
        let [chosen, none] = [[false, false, false, true], [false; 4]];
        assert_eq!(cases, [chosen, none, chosen, none]);
        let mut later = longest_common();
        later.choices[0].operands = vec![1];
        let updated = foreseen(Form::Compound, later.clone());
        assert_eq!(updated, [false, false, false, true]);
        assert_eq!(foreseen(Form::Value, later), [false, true, false, true]);
    }

    #[test]
    fn divisions_and_square_roots_and_calls_are_apart() {
        let all = Operations {
            additions: 1,
            multiplications: 2,
            extremes: 3,
            divisions: 4,
            roots: 5,
            casts: 6,
            bits: 7,
            calls: ["ln", "rotate_left", "clamp", "exp"]
                .map(String::from)
                .to_vec(),
            ..Operations::default()
        };
        let work = Work {
            operations: 6.0 + 7.0 + 3.0,
            divisions: 9.0,
            calls: 26.0,
            ..Work::default()
        };
        assert_eq!(Work::of(&all), work);
    }

    #[test]
    fn a_declared_cost_stands_for_everything() {
        let operations = Operations {
            divisions: 3,
            calls: vec!["median_of".into()],
            cost: Some(60),
            ..Operations::default()
        };
        let work = Work {
            declared: 60.0,
            ..Work::default()
        };
        assert_eq!(Work::of(&operations), work);
        let additions = Operations {
            additions: 3,
            ..operations
        };
        assert_eq!(instructions(&additions), 0.0);
    }
}
