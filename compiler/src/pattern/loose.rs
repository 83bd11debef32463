//! Runs that no loop can tell, one after the other in a table.

use superstep_plan::{Body, Code, Term};

use super::signature::Signature;

/// Makes tables of the runs whose signature says so, as those of a permutation.
///
/// A loose run takes less than half the memory, and starting it a fraction of the time.
pub fn tabulate(bodies: &[Body], signatures: &[Signature], code: &mut Code) {
    let (terms, values) = (
        std::mem::take(&mut code.terms),
        std::mem::take(&mut code.values),
    );
    let (mut at, mut value) = (0, 0);
    while at < terms.len() {
        let (width, inside) = match terms[at] {
            Term::Run { body } => (bodies[usize::from(body)].width(), 1),
            Term::Loop { terms, width } => (1 + 2 * width as usize, 1 + terms as usize),
            Term::Loose { .. } => (0, 1),
        };
        let own = &values[value..value + width];
        match terms[at] {
            Term::Run { body } if signatures[usize::from(body)].is_loose => {
                match code.terms.last_mut() {
                    Some(Term::Loose { body: last, runs }) if *last == body => *runs += 1,
                    _ => code.terms.push(Term::Loose { body, runs: 1 }),
                }
                let small = |&value| i32::try_from(value).expect("loose runs have small values");
                code.loose.extend(own[1..].iter().map(small));
            }
            _ => {
                code.terms.extend(&terms[at..at + inside]);
                code.values.extend(own);
            }
        }
        at += inside;
        value += width;
    }
}

#[cfg(test)]
mod tests {
    use super::{Body, Code, Signature, Term, tabulate};

    fn walked(bodies: &[Body], code: &Code) -> Vec<(usize, usize, i64)> {
        let mut runs = Vec::new();
        code.walk(bodies, &mut |body, run| {
            runs.push((body, run.count(), run.given(0)));
        });
        runs
    }

    #[test]
    fn listed_runs_become_tables_and_nothing_else_changes() {
        let bodies = [Body::own(vec![0], 1), Body::own(vec![1], 1)];
        let mut signatures = [0, 1].map(|statement| Signature::of_nothing(&[statement], 1));
        signatures[0].is_loose = true;
        let run = |body| Term::Run { body };
        let inside = Term::Loop { terms: 1, width: 3 };
        let loose = |runs| Term::Loose { body: 0, runs };
        let mut code = Code {
            terms: vec![run(0), run(0), run(1), run(0), inside, run(1), run(0)],
            values: [
                &[1, 7, 0, 1, 4, 0][..],
                &[2, 9, 3],
                &[1, 5, 0],
                &[4, 3, 2, 1, -1, 5, 6],
                &[1, -8, 0],
            ]
            .concat(),
            loose: vec![],
        };
        let before = walked(&bodies, &code);
        assert_eq!(before.len(), 8);
        tabulate(&bodies, &signatures, &mut code);
        let terms = vec![loose(2), run(1), loose(1), inside, run(1), loose(1)];
        assert_eq!(code.terms, terms);
        assert_eq!(code.loose, [7, 0, 4, 0, 5, 0, -8, 0]);
        assert_eq!(walked(&bodies, &code), before);
    }
}
