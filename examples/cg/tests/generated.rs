//! Output of the build script, as reviewed.
//!
//! If it is meant to change:
//! `INSTA_UPDATE=always cargo test -p superstep-example-cg --test generated`, and read the
//! difference.

#[test]
fn the_generated_module() -> std::io::Result<()> {
    insta::assert_snapshot!(superstep_side_by_side::generated(env!("OUT_DIR"))?);
    Ok(())
}
