//! Everything outside the kernel language is refused with a message of its own, which says what to write instead.
//!
//! `TRYBUILD=overwrite cargo test --test refusals` rewrites the expected messages. They are those of the toolchain that the repository
//! pins: other compilers print the same messages with other decorations.

#[test]
fn each_refusal_says_what_to_write_instead() {
    trybuild::TestCases::new().compile_fail("tests/refusals/*.rs");
}
