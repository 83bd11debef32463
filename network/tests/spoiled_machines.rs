//! Spoiled machine files of measured machines are an error or a machine, and never a panic. Their
//! memory does not depend on the file; medians that are added are read by builds.

#[path = "../../fuzz/spoil.rs"]
mod spoil;

use std::path::Path;

use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_machine::Machine;
use superstep_network::{MachineFile, with_medians};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const VALID: &str = "processors = 3\ntask = 2.5\nunit = \"ns\"\n[[levels]]\ngroups = [0, 1, 1]\n\
    [[paths]]\nbetween = [0, 1]\nsamples = [41, 43, 40, 52]\n\
    [[paths]]\nbetween = [1, 2]\nlatency = { pareto = { scale = 4.1, shape = 9.5 } }\n\
    [[paths]]\nbetween = [0, 2]\nlatency = { normal = { mean = 4.3, deviation = 0.12 } }\n";

fn hold(file: &[u8]) {
    let text = String::from_utf8_lossy(file);
    let path = Path::new("file.toml");
    let (read, bytes) = peak(|| MachineFile::from_toml(&text, path));
    assert!(bytes <= 48 << 20, "{bytes} bytes for {}", file.len());
    match read {
        Ok(file) => {
            let machine = file.machine(0.5);
            assert_eq!(machine.validate(), Ok(()));
            let text = with_medians(&text, path).expect("it was read");
            assert_eq!(Machine::from_toml(&text, path).ok(), Some(machine));
        }
        Err(error) => assert!(error.to_string().starts_with("file.toml:")),
    }
}

proptest! {
    #[test]
    fn spoiled_files(file in prop_oneof![
        spoiled(VALID.into()),
        spoiled(with_medians(VALID, Path::new("file.toml")).expect("valid").into()),
    ]) {
        hold(&file);
    }
}
