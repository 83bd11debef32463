//! Folding: what is folded expands to the same records, and regular lists become few terms.
//!
//! A property is tried on proptest's 256 random cases, and on 1000 in `.ci/run`, which sets
//! `PROPTEST_CASES`.

mod support;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use superstep_compiler::fold::{Records, Shapes, fold};
use superstep_compiler::pattern::Signature;
use superstep_plan::{Body, Code, Run};
use superstep_schedule::Schedule;
use superstep_tracer::{Kernel, Role};

/// Statements have one, two, three components.
#[derive(Clone, Debug, PartialEq)]
struct List(Vec<(u16, [i64; 3])>);

impl Records for List {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn width(&self) -> usize {
        3
    }

    fn components(&self, statement: u16) -> usize {
        1 + usize::from(statement)
    }

    fn read(&mut self, at: usize, record: &mut [i64]) -> u16 {
        let (statement, components) = self.0[at];
        let count = self.components(statement);
        record[..count].copy_from_slice(&components[..count]);
        statement
    }

    /// Returns all operands, as all words are of one array.
    fn readers(&self, statement: u16) -> u64 {
        (2 << statement) - 2
    }
}

fn folded(list: &List) -> (Code, Vec<Body>) {
    let mut shapes = Shapes::default();
    let code = fold(&mut list.clone(), &mut shapes).into_code(&shapes);
    let body =
        |(statements, components): (&[u16], u32)| Body::own(statements.to_vec(), components as u16);
    (code, shapes.bodies().map(body).collect())
}

fn expanded(code: &Code, bodies: &[Body]) -> List {
    let mut records = Vec::new();
    code.walk(bodies, &mut |body, run| {
        for x in 0..run.count() {
            let mut at = 0;
            for &statement in bodies[body].statements() {
                let mut components = [0; 3];
                for component in components.iter_mut().take(1 + usize::from(statement)) {
                    let (start, step) = (bodies[body].start(at, run), bodies[body].step(at, run));
                    *component = Run::advance(start, step, x);
                    at += 1;
                }
                records.push((statement, components));
            }
        }
    });
    List(records)
}

/// Makes records of a few statements with small numbers; unused components are zero.
fn records(most: usize) -> impl Strategy<Value = Vec<(u16, [i64; 3])>> {
    let record =
        (0..3_u16, prop::array::uniform3(-2..3_i64)).prop_map(|(statement, mut components)| {
            components[1 + usize::from(statement)..].fill(0);
            (statement, components)
        });
    prop::collection::vec(record, 0..most)
}

proptest! {
    #[test]
    fn expanding_inverts_folding(records in records(60)) {
        let list = List(records);
        let (code, bodies) = folded(&list);
        prop_assert_eq!(expanded(&code, &bodies), list);
    }

    /// Repetitions of a pattern whose numbers advance, then advance differently.
    #[test]
    fn so_it_does_for_repetitions(pattern in records(6), counts in prop::collection::vec(0..6_i64, 1..5), step in -3..4_i64) {
        let mut list = Vec::new();
        for (outer, &count) in counts.iter().enumerate() {
            for x in 0..count {
                let advance = |&(statement, components): &(u16, [i64; 3])| {
                    let mut advanced = components.map(|c| c + step * x + 10 * outer as i64);
                    advanced[1 + usize::from(statement)..].fill(0);
                    (statement, advanced)
                };
                list.extend(pattern.iter().map(advance));
            }
        }
        let list = List(list);
        let (code, bodies) = folded(&list);
        prop_assert_eq!(expanded(&code, &bodies), list);
    }
}

#[test]
fn a_triangle_is_one_nest() {
    let records = (0..50).flat_map(|i| (0..50 - i).map(move |j| (1, [100 * i + j, j, 0])));
    let (code, _) = folded(&List(records.collect()));
    assert!(code.terms.len() <= 4, "{:?}", code.terms);
}

/// Returns the iterations of the runs that are left of one line of 20 words, of which each reads
/// these two.
fn runs_of_a_line(reads: impl Fn(i64) -> [i64; 2]) -> Vec<usize> {
    let records = (0..20)
        .map(|j| (2, [j, reads(j)[0], reads(j)[1]]))
        .collect();
    let (code, bodies) = folded(&List(records));
    let mut counts = Vec::new();
    code.walk(&bodies, &mut |_, run| counts.push(run.count()));
    counts
}

#[test]
fn runs_end_at_the_word_that_they_read_again_and_again() {
    // As in Floyd's algorithm, and in others that read a word of their row.
    assert_eq!(runs_of_a_line(|j| [7, 100 + j]), [7, 1, 12]);
    assert_eq!(runs_of_a_line(|j| [100 + j, 0]), [1, 19]);
    assert_eq!(runs_of_a_line(|j| [j, 30]), [20]);
    // Words that move meet too, and are no longer read then.
    assert_eq!(runs_of_a_line(|j| [19 - j, 100]), [20]);
    assert_eq!(runs_of_a_line(|j| [2 * j, j]), [20]);
}

#[test]
fn no_run_of_shortest_paths_writes_the_word_that_all_of_it_reads() {
    let n = 12;
    let mut kernel = Kernel::new("paths");
    let d = kernel.add_array("d", Role::InOut, None);
    support::add_value(
        &mut kernel,
        "d[i][j] = d[i][j].min(..)",
        d,
        &[d; 3],
        [2, 0, 0],
    );
    let trace = support::traced(kernel, |recorder| {
        for (k, i, j) in (0..n * n * n).map(|at| (at / n / n, at / n % n, at % n)) {
            recorder.push(0, i * n + j, &[i * n + j, i * n + k, k * n + j]);
        }
    });
    let tasks: Vec<u32> = (0..trace.tasks() as u32).collect();
    let program = support::program(&trace, &Schedule::from_lists(1, [[tasks]]));
    let bodies = &program.plan().bodies;
    let mut instances = 0;
    for code in &program.plan().code {
        code.walk(bodies, &mut |body, run| {
            let body = &bodies[body];
            instances += run.count() * body.statements().len();
            let is_line = body.statements().len() == 1 && run.count() > 1;
            if is_line && body.step(0, run) == 1 && body.step(2, run) == 0 {
                let from = body.start(0, run);
                let written = from..from + run.count() as i64;
                assert!(!written.contains(&body.start(2, run)), "{written:?}");
            }
        });
    }
    assert_eq!(instances, n * n * n);
}

#[test]
fn scattered_columns_fold_over_the_rows() {
    // 300 rows of the columns that one of eight processors may own.
    let columns = [
        0, 1, 6, 13, 17, 21, 22, 30, 38, 41, 49, 50, 61, 63, 70, 78, 90, 97, 105, 111, 118, 119,
        127,
    ];
    let records = (0..300).flat_map(|i| columns.map(|j| (0, [128 * i + j, 0, 0])));
    let (code, _) = folded(&List(records.collect()));
    assert!(code.terms.len() <= 2 * columns.len(), "{:?}", code.terms);
}

#[test]
fn lists_without_order_stay_records_of_a_few_rows() {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let list = List(
        (0..4000)
            .map(|_| (0, [random.random_range(0..1 << 20), 0, 0]))
            .collect(),
    );
    let (code, bodies) = folded(&list);
    assert!(code.terms.len() < 1100, "{} terms", code.terms.len());
    assert_eq!(expanded(&code, &bodies), list);
}

#[test]
fn whole_kernels_are_few_terms() {
    let serial = |trace: &superstep_tracer::Trace| {
        let tasks: Vec<u32> = (0..trace.tasks() as u32).collect();
        support::program(trace, &Schedule::from_lists(1, [[tasks]]))
            .figures()
            .clone()
    };
    for (trace, most) in [
        // In blocks of eight versions: a panel, the rest, and both once more where they end.
        (support::lu(40), 64),
        (support::jacobi(20, 5), 8),
        (support::sptrsv(20), 20),
        (support::lcs(30, 40), 6),
        (support::jacobi_solve(30), 20),
    ] {
        let figures = serial(&trace);
        assert!(
            figures.printed && figures.terms <= most,
            "{}: {figures}",
            trace.kernel().name
        );
        assert_eq!(
            figures.overflowing, 0,
            "one processor in trace order overwrites only what is dead"
        );
    }
}

/// Returns the statements of the program's bodies, with the task instances that each runs.
fn by_body(program: &superstep_compiler::CheckedProgram) -> Vec<(&[u16], usize)> {
    let plan = program.plan();
    let mut instances = vec![0; plan.bodies.len()];
    for code in &plan.code {
        code.walk(&plan.bodies, &mut |body, run| {
            instances[body] += run.count() * plan.bodies[body].statements().len();
        });
    }
    let statements = plan.bodies.iter().map(|body| body.statements());
    statements.zip(instances).collect()
}

/// In trace order LU loads and stores a word for each update. In blocks of versions most are
/// updated four times or more in a register.
#[test]
fn words_stay_in_registers_while_they_are_updated() {
    let trace = support::lu(64);
    let tasks: Vec<u32> = (0..trace.tasks() as u32).collect();
    let program = support::program(&trace, &Schedule::from_lists(1, [[tasks]]));
    // An update writes a word, reads it, and reads two more: all updates of a tile are of the first
    // one's word.
    let is_tile = |signature: &Signature| {
        let updates = signature.statements.len();
        updates >= 4
            && signature.statements.iter().all(|&statement| statement == 1)
            && (0..updates).all(|update| signature.same[4 * update] == 0)
    };
    let bodies = program.signatures().iter().zip(&program.plan().bodies);
    for (_, body) in bodies.filter(|(signature, _)| is_tile(signature)) {
        // Where it begins in its row, and in a pivot row: the rest lies at fixed distances.
        assert!(body.values() <= 2, "{body:?}");
    }
    let bodies = program.signatures().iter().zip(by_body(&program));
    let tiles = bodies.filter(|(signature, _)| is_tile(signature));
    let tiles: usize = tiles.map(|(_, (_, instances))| instances).sum();
    assert!(
        4 * tiles > 3 * trace.tasks(),
        "{tiles} of {}",
        trace.tasks()
    );
}

/// Rows of a triangle begin with two entries. Found from left to right, the body would begin in the
/// middle of a row and write two.
#[test]
fn a_body_begins_where_the_kernels_does() {
    let trace = support::sptrsv(40);
    let tasks: Vec<u32> = (0..trace.tasks() as u32).collect();
    let program = support::program(&trace, &Schedule::from_lists(1, [[tasks]]));
    let bodies = by_body(&program);
    // One or a few of the kernel's own.
    let is_whole = |statements: &[u16]| statements.chunks(4).all(|own| own == [0, 1, 1, 2]);
    let whole = bodies.iter().filter(|(statements, _)| is_whole(statements));
    let instances: usize = whole.map(|(_, instances)| instances).sum();
    assert!(4 * instances > 3 * trace.tasks(), "{bodies:?}");
}

/// `t = f(x[i]); y[i] = f(t)` where all `t` come before all `y`: every `t` but the first needs a
/// slot of its own, in order.
#[test]
fn conflicting_temporaries_get_consecutive_slots() {
    let mut kernel = Kernel::new("temporaries");
    let x = kernel.add_array("x", Role::Input, None);
    let y = kernel.add_array("y", Role::InOut, None);
    let t = kernel.add_array("t", Role::Local, Some(1));
    kernel.add_statement("t = f(x[i])", t, &[x]);
    kernel.add_statement("y[i] = f(t)", y, &[t]);
    let trace = support::traced(kernel, |recorder| {
        for i in 0..100 {
            recorder.push(0, 0, &[i]);
            recorder.push(1, i, &[0]);
        }
    });
    let all = |odd: u32| {
        (0..200)
            .filter(move |task| task % 2 == odd)
            .collect::<Vec<u32>>()
    };
    let program = support::program(&trace, &Schedule::from_lists(1, [[all(0)], [all(1)]]));
    let figures = program.figures();
    assert_eq!(
        (figures.overflowing, figures.terms, figures.runs),
        (99, 2, 2)
    );
    assert_eq!(program.plan().lengths(0)[usize::from(t)], 100);
}

/// LU with its columns dealt in turn to two processors: the inputs are transposed on their way in,
/// and runs go down columns.
#[test]
fn scattered_columns_are_stored_one_after_the_other() {
    let n = 48;
    let trace = support::lu(n);
    let schedule = support::by_owner(&trace, 2, |trace, task| trace.written(task).index % 2);
    let program = support::program(&trace, &schedule);
    let columns = program.plan().scatter.iter().flatten();
    let rows = columns
        .filter(|copies| copies.count > 1)
        .all(|copies| (copies.from_step, copies.to_step) == (n as i32, 1));
    assert!(rows, "{:?}", program.plan().scatter);

    // Rows dealt in turn are well as they are.
    let schedule = support::by_owner(&trace, 2, |trace, task| {
        trace.written(task).index / n as u32 % 2
    });
    let program = support::program(&trace, &schedule);
    let mut rows = program.plan().scatter.iter().flatten();
    assert!(rows.all(|copies| copies.from_step == copies.to_step));
}
