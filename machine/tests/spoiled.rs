//! Spoiled machine files and files of times: an error or a machine, never a panic, and memory that
//! does not depend on the file.

#[path = "../../fuzz/spoil.rs"]
mod spoil;

use std::path::Path;

use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_machine::{Level, Machine, Times};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Reads a file as both. What is read has values in their range, and is written as what is read
/// again.
fn hold(file: &[u8]) {
    let text = String::from_utf8_lossy(file);
    let path = Path::new("file.toml");
    let most = |bytes: usize| {
        assert!(bytes <= 48 << 20, "{bytes} bytes for {}", file.len());
    };
    let (machine, bytes) = peak(|| Machine::from_toml(&text, path));
    most(bytes);
    match machine {
        Ok(machine) => {
            assert_eq!(machine.validate(), Ok(()));
            assert_eq!(
                Machine::from_toml(&machine.to_toml(), path).ok(),
                Some(machine)
            );
        }
        Err(error) => assert!(error.to_string().starts_with("file.toml:")),
    }
    let (times, bytes) = peak(|| Times::from_toml(&text, path));
    most(bytes);
    match times {
        Ok(times) => {
            assert_eq!(times.validate(), Ok(()));
            assert!(times.core.sets * times.core.ways <= 1 << 20);
            assert_eq!(Times::from_toml(&times.to_toml(), path).ok(), Some(times));
        }
        Err(error) => assert!(error.to_string().starts_with("file.toml:")),
    }
}

fn two_sites() -> Machine {
    let level = |groups: [u32; 4], latency| Level {
        groups: groups.into(),
        latency,
        gap: 0.5,
    };
    Machine {
        levels: vec![level([0, 0, 1, 2], 0.25), level([0, 0, 1, 1], 0.5)],
        ..Machine::new(4)
    }
}

proptest! {
    #[test]
    fn spoiled_files(file in prop_oneof![
        spoiled(Machine { tau: Some(2.5), ..Machine::new(4) }.to_toml().into()),
        spoiled(two_sites().to_toml().into()),
        spoiled(Times::default().to_toml().into()),
    ]) {
        hold(&file);
    }

    #[test]
    fn noise(file in prop::collection::vec(any::<u8>(), 0..300), text in "(gap|ways|a|[0-9\\[\\]{}.,=\"\n#e_-]){0,200}") {
        hold(&file);
        hold(text.as_bytes());
    }
}

/// Files that say most in the fewest bytes, as long as they may be, and longer.
#[test]
fn dense_files_take_no_more_memory() {
    for text in [
        "[", "a=[", "{", "1,", "[a]\n", "[[a]]\n", "a.", "\"", "a=1\n", "{a=", "#",
    ] {
        for bytes in [1 << 16, 1 << 18, 1 << 20] {
            let many = text.repeat(bytes / text.len());
            hold(many.as_bytes());
            hold(format!("gap=[{}", &many[..many.len() - 5]).as_bytes());
            hold(format!("{}=1", &many[..many.len() - 2]).as_bytes());
        }
    }
    let keys: String = (0..8000).map(|key| format!("a{key}=1\n")).collect();
    hold(keys.as_bytes());
}
