//! General functions of long sequences, which hand over to those of single statements.

use superstep_compiler::pattern::Signature;

/// Longest sequence of statements for each of which its general function has code. The panels of a
/// factorisation are sequences of up to 36 statements. Longer ones than this would be a tenth of
/// its code, and execute a thousandth of its tasks.
const WRITTEN_OUT: usize = 8;

/// Returns the statements that a general function hands over to general functions of their own, one
/// at a time: each of them once.
pub(crate) fn handed_over(signature: &Signature) -> Vec<u16> {
    let mut statements = Vec::new();
    if signature.is_general() && !signature.is_loose && signature.statements.len() > WRITTEN_OUT {
        statements.clone_from(&signature.statements);
        statements.sort_unstable();
        statements.dedup();
    }
    statements
}
