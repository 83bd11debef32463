//! Writes the gallery's kernels, instances and tests.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (path, text) in superstep_gallery_generator::files() {
        superstep_files::replace(gallery.join(path), text)?;
    }
    Ok(())
}
