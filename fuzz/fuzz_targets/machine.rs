//! Reads machine files and files of times; what is read has values in their range.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use superstep_machine::{Machine, Times};
use superstep_network::{MachineFile, with_medians};

fuzz_target!(|text: &str| {
    let path = Path::new("file.toml");
    if let Ok(machine) = Machine::from_toml(text, path) {
        assert_eq!(machine.validate(), Ok(()));
        assert_eq!(
            Machine::from_toml(&machine.to_toml(), path).ok(),
            Some(machine)
        );
    }
    if let Ok(file) = MachineFile::from_toml(text, path) {
        let text = with_medians(text, path).expect("it was read");
        assert_eq!(Machine::from_toml(&text, path).ok(), Some(file.machine(0.5)));
    }
    if let Ok(times) = Times::from_toml(text, path) {
        assert_eq!(times.validate(), Ok(()));
        assert_eq!(Times::from_toml(&times.to_toml(), path).ok(), Some(times));
    }
});
