//! Runs that no loop can tell, one after the other in a table.

use superstep_runtime::plan::{Body, Code, Term};

/// Runs in a row that make a list.
const SOME: usize = 4;

/// Makes lists of the runs of one body that follow each other outside all loops: a permutation becomes a table.
///
/// A run of a list takes half the memory, and starting it a fraction of the time.
pub fn list(bodies: &[Body], code: &mut Code) {
    let width = |term: &Term| match *term {
        Term::Run { body } => (bodies[usize::from(body)].width(), 1),
        Term::Loop { terms, width } => (1 + 2 * width as usize, 1 + terms as usize),
        Term::List { .. } => (0, 1),
    };
    let (terms, values) = (
        std::mem::take(&mut code.terms),
        std::mem::take(&mut code.values),
    );
    let (mut at, mut value) = (0, 0);
    while at < terms.len() {
        let (own, inside) = width(&terms[at]);
        let is_run = matches!(terms[at], Term::Run { .. });
        let like = terms[at..].iter().take_while(|term| **term == terms[at]);
        let runs = if is_run { like.count() } else { 1 };
        let all = &values[value..value + runs * own];
        let narrow: Option<Vec<i32>> = all.iter().map(|&v| i32::try_from(v).ok()).collect();
        match (terms[at], narrow) {
            (Term::Run { body }, Some(narrow)) if runs >= SOME => {
                let runs = runs as u32;
                code.terms.push(Term::List { body, runs });
                code.listed.extend(narrow);
            }
            _ => {
                code.terms.extend(&terms[at..at + runs * inside]);
                code.values.extend(all);
            }
        }
        at += runs * inside;
        value += runs * own;
    }
}

#[cfg(test)]
mod tests {
    use super::{Body, Code, Term, list};

    fn walked(bodies: &[Body], code: &Code) -> Vec<(usize, usize, [i64; 2])> {
        let mut runs = Vec::new();
        code.walk(bodies, &mut |body, run| {
            runs.push((body, run.count(), [0, 1].map(|value| run.given(value))));
        });
        runs
    }

    #[test]
    fn runs_of_one_body_in_a_row_become_lists_and_nothing_else_changes() {
        let bodies = [Body::own(vec![0], 1), Body::own(vec![1], 1)];
        let run = |body| Term::Run { body };
        let inside = Term::Loop { terms: 1, width: 3 };
        // Five runs of a body, three of another, a loop, and four of which one does not fit.
        let mut terms = vec![run(0); 5];
        terms.extend([run(1); 3]);
        terms.extend([inside, run(1)]);
        terms.extend([run(1); 4]);
        let mut values: Vec<i64> = (0..24).map(|value| value * value % 11).collect();
        values.extend([4, 3, 2, 1, -1, 5, 6]);
        values.extend([1, 2, 3, 1, i64::MAX, 3, 1, 2, 3, 1, 2, 3]);
        let mut code = Code {
            terms,
            values,
            ..Code::default()
        };
        let before = walked(&bodies, &code);
        list(&bodies, &mut code);
        let mut listed = vec![Term::List { body: 0, runs: 5 }];
        listed.extend([run(1); 3]);
        listed.extend([inside, run(1)]);
        listed.extend([run(1); 4]);
        assert_eq!((code.terms.clone(), code.listed.len()), (listed, 15));
        assert_eq!(walked(&bodies, &code), before);
    }
}
