//! Statement of a kernel in which a processor panics.
//!
//! A panic's own place is told to the process's hook, which is not ours. It is within a function
//! that the kernel calls as often as not. So each statement has a guard, which is dropped only
//! where a panic unwinds through the statement. A program that does not panic does nothing for it.

use std::cell::Cell;
use std::fmt;
use std::mem::ManuallyDrop;

thread_local! {
    static LAST: Cell<Option<Statement>> = const { Cell::new(None) };
}

/// Location of a statement in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Source file, as the compiler of the kernel names it.
    pub file: &'static str,
    /// Line in which the statement begins, from 1.
    pub line: u32,
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Statement that is being computed.
///
/// One word. Debug builds copy it again and again. Their programs took up to three times as long
/// (LU, 96 rows) while it held the place itself.
#[doc(hidden)]
#[derive(Debug)]
pub struct Begun(&'static Statement);

impl Begun {
    /// Begins a statement.
    #[inline(always)]
    pub fn new(statement: &'static Statement) -> Self {
        Self(statement)
    }

    /// Ends the statement: it has not panicked.
    #[inline(always)]
    pub fn end(self) {
        let _ended = ManuallyDrop::new(self);
    }
}

impl Drop for Begun {
    #[cold]
    #[inline(never)]
    fn drop(&mut self) {
        LAST.set(Some(*self.0));
    }
}

/// Returns the statement that this thread's last panic came through, if it came through one since
/// this was asked last.
pub(crate) fn take() -> Option<Statement> {
    LAST.take()
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    fn computed<const LINE: u32>(value: impl FnOnce() -> i32) -> i32 {
        let begun = Begun::new(&Statement {
            file: "kernels.rs",
            line: LINE,
        });
        let value = value();
        begun.end();
        value
    }

    #[test]
    fn what_is_copied_for_each_statement_is_a_word() {
        assert_eq!(size_of::<Begun>(), size_of::<usize>());
    }

    #[test]
    fn a_panic_tells_its_statement_once() {
        assert_eq!(computed::<1>(|| 7), 7);
        assert_eq!(take(), None);
        let panicked = catch_unwind(|| {
            computed::<2>(|| 7);
            computed::<3>(|| panic!("in the statement"))
        });
        assert!(panicked.is_err());
        let statement = take().expect("it panicked");
        assert_eq!(statement.to_string(), "kernels.rs:3");
        assert_eq!(take(), None);
        assert!(catch_unwind(|| panic!("in no statement")).is_err());
        assert_eq!(take(), None);
    }
}
