//! A panic of a program names the kernel, the processor, the superstep and the line of the
//! statement.

use std::panic::{catch_unwind, AssertUnwindSafe};

use superstep_language::panics::risks;

const N: usize = 12;

/// The line of the kernels' file on which that stands.
fn line_of(text: &str) -> usize {
    let source = include_str!("../src/panics.rs");
    let line = source.lines().position(|line| line.contains(text));
    1 + line.expect("it is in the kernel")
}

struct Arguments {
    at: [usize; N],
    by: [u64; N],
    of: [i64; N],
}

impl Arguments {
    fn fine() -> Self {
        Self {
            at: [1; N],
            by: [1; N],
            of: [1; N],
        }
    }

    /// The error of a call on that many processors.
    fn error(&self, processors: usize) -> steps::RunError {
        let run = risks::with().exactly(processors);
        let (mut x, mut y) = ([0; N], [0.0; N]);
        run.run(N, &self.at, &self.by, &self.of, &mut x, &mut y)
            .expect_err("it panics")
    }
}

/// Checks what a panic of the last element says.
fn assert_named(arguments: &Arguments, statement: &str, message: &str) {
    for processors in 1..=3 {
        let error = arguments.error(processors);
        let text = error.to_string();
        let steps::RunError::Panicked {
            kernel,
            processor,
            superstep,
            statement: Some(at),
            ..
        } = error
        else {
            panic!("{text}");
        };
        assert_eq!(kernel, "risks");
        assert!(processor < processors, "{text}");
        assert_eq!(at.line as usize, line_of(statement), "{text}");
        assert!(at.file.ends_with("src/panics.rs"), "{text}");
        let expected =
            format!("risks: processor {processor} panicked in superstep {superstep} at {at}: ");
        assert!(text.starts_with(&expected), "{text}");
        assert!(text.contains(message), "{text}");
    }
}

#[test]
fn an_index_from_data() {
    let mut arguments = Arguments::fine();
    arguments.at[N - 1] = 4;
    let message = "index out of bounds: the len is 4 but the index is 4";
    assert_named(&arguments, "x[i] = TABLE[at[i]]", message);
}

#[test]
fn a_division() {
    let mut arguments = Arguments::fine();
    arguments.by[N - 1] = 0;
    assert_named(&arguments, "x[i] /=", "attempt to divide by zero");
}

#[test]
fn a_function_that_is_called() {
    let mut arguments = Arguments::fine();
    arguments.of[N - 1] = -9;
    assert_named(&arguments, "y[i] = root(of[i])", "no root of -9");
}

/// Also where the function runs in a program's place, which knows no statements.
#[test]
fn what_parallel_raises_again_names_the_kernel_and_the_panic() {
    let mut arguments = Arguments::fine();
    arguments.of[N - 1] = -9;
    let (mut x, mut y) = ([0; N], [0.0; N]);
    let call = || {
        risks::parallel(
            N,
            &arguments.at,
            &arguments.by,
            &arguments.of,
            &mut x,
            &mut y,
        )
    };
    let payload = catch_unwind(AssertUnwindSafe(call)).expect_err("it panics");
    let text = payload.downcast::<String>().expect("a message");
    assert!(text.contains("risks: processor "), "{text}");
    assert!(text.ends_with("no root of -9"), "{text}");
}
