//! Spoiled tree files and matrices: an error or a value, never a panic, and memory in proportion to
//! the file.

#[path = "../../fuzz/spoil.rs"]
mod spoil;

use std::path::Path;

use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_network::topology::{
    Matrix, Recorded, Setting, Tree, infer,
    simulated::{Network, Noise, Simulator},
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Reads a file as both. What is read is written as what is read again, and is of use.
fn hold(file: &[u8]) {
    let text = String::from_utf8_lossy(file);
    let path = Path::new("file");
    let most = |bytes: usize| {
        assert!(
            bytes <= (1 << 20) + 400 * file.len(),
            "{bytes} bytes for {}",
            file.len()
        );
    };
    let (tree, bytes) = peak(|| Tree::from_text(&text, path));
    most(bytes);
    match tree {
        Ok(tree) => {
            assert_eq!(
                Tree::from_text(&tree.to_json(), path).ok().as_ref(),
                Some(&tree)
            );
            let newick = tree.newick();
            assert_eq!(newick.parse::<Tree>().map(|tree| tree.newick()), Ok(newick));
            assert!(!tree.drawing().is_empty());
        }
        Err(error) => assert!(error.to_string().starts_with("file:")),
    }
    let (recorded, bytes) = peak(|| Recorded::from_csv(&text, None, path));
    most(bytes);
    match recorded {
        Ok(mut probe) => {
            let (names, pairs) = (probe.names().to_vec(), probe.measurements());
            // A tree or a reason, whatever the times are.
            if let Ok(inference) = infer(&names, &mut probe, &Setting::default(), |_| {}) {
                assert!(inference.misfits(pairs.iter().copied()).len() <= pairs.len());
            }
        }
        Err(error) => assert!(error.to_string().starts_with("file:")),
    }
}

/// Returns the pairs that were measured for a tree.
fn pairs() -> Vec<u8> {
    let network = Network::random(9, 3);
    let mut probe = Simulator::new(&network, Noise::default(), 1);
    let names = network.tree.names();
    let inference = infer(names, &mut probe, &Setting::default(), |_| {}).unwrap();
    Recorded::list(inference.measurements, names).into_bytes()
}

fn matrix() -> Vec<u8> {
    let tree = Network::random(7, 3).tree;
    let mut text = String::from("a,b,c,d,e,f,g\n");
    for row in tree.distances().chunks(7) {
        let row: Vec<String> = row
            .iter()
            .map(|distance| (2.0 * distance).to_string())
            .collect();
        text += &(row.join(",") + "\n");
    }
    text.into_bytes()
}

/// A device has no length, and no end.
#[cfg(target_os = "linux")]
#[test]
fn what_has_no_end_is_no_tree() {
    let (error, bytes) = peak(|| Tree::read("/dev/zero").unwrap_err());
    let text = "/dev/zero: a tree file has at most 2^24 bytes";
    assert_eq!(error.to_string(), text);
    assert!(bytes < 4 << 24, "{bytes} bytes");
}

proptest! {
    #[test]
    fn spoiled_files(file in prop_oneof![
        spoiled(Network::random(9, 5).tree.to_json().into()),
        spoiled(Network::random(9, 5).tree.newick().into()),
        spoiled(matrix()),
        spoiled(pairs()),
    ]) {
        hold(&file);
    }

    #[test]
    fn noise(file in prop::collection::vec(any::<u8>(), 0..300), text in "[a-c0-9():,;'\\[\\]{}.\n-]{0,200}") {
        hold(&file);
        hold(text.as_bytes());
    }

    /// Symmetric numbers that are no distances: a tree or a reason.
    #[test]
    fn times_that_fit_no_tree(hosts in 2_usize..14, times in prop::collection::vec(0.0_f64..1e6, 196), seed: u64) {
        let names = (0..hosts).map(|host| format!("h{host}")).collect();
        let matrix = Matrix::from_fn(names, |i, j| times[i.min(j) * 14 + i.max(j)].round());
        let mut probe = Recorded::new(matrix, None).unwrap();
        let names = probe.names().to_vec();
        let setting = Setting { seed, ..Setting::default() };
        if let Ok(inference) = infer(&names, &mut probe, &setting, |_| {}) {
            prop_assert_eq!(inference.tree.hosts(), hosts);
        }
    }
}

/// Files that say most in the fewest bytes.
#[test]
fn dense_files_take_memory_in_proportion() {
    for text in [
        "(",
        "((a:1,",
        ",",
        "1,",
        "0\n",
        "[",
        "'",
        "{\"hosts\":[",
        "#",
    ] {
        for bytes in [1 << 12, 1 << 16] {
            hold(text.repeat(bytes / text.len()).as_bytes());
        }
    }
    hold(br#"{"hosts":["a","b"],"switches":18446744073709551615,"links":[]}"#);
    hold(br#"{"hosts":["a","b"],"switches":4294967295,"links":[]}"#);
    let chain = |depth: usize| "(a:1,".repeat(depth) + "b:1" + &"):1".repeat(depth) + ";";
    hold(chain(1000).as_bytes());
}
