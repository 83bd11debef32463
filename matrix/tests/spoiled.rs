//! Spoiled files: an error or a matrix, never a panic, and memory in proportion to the file.

#[path = "../../fuzz/spoil.rs"]
mod spoil;

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use spoil::{Counting, peak, spoiled};
use superstep_matrix::{ReadError, market};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const FILES: [&str; 4] = [
    "%%MatrixMarket matrix coordinate real symmetric\n% no\n3 3 4\n1 1 2.5\n2 1 1\n3 1 -1\n3 2 1e5\n",
    "%%MatrixMarket matrix coordinate pattern general\n2 4 3\n1 1\n\n2 4\n2 4\n",
    "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 2 0\n2 1 0 1.5 % i\n",
    "%%MatrixMarket matrix coordinate integer skew-symmetric\n9 9 2\n2 1 -7\n9 8 12\n",
];

/// Bytes of memory for each byte of text, and beyond, of reading a matrix.
const MOST_FOR_TEXT: usize = 128;
const FREE: usize = 8 << 20;

fn packed(file: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(file).unwrap();
    packed.finish().unwrap()
}

/// Reads a file whose text has so many bytes; compresses what it is, both ways.
fn hold(file: &[u8], text: usize) {
    let ((), bytes) = peak(|| match market::read(file) {
        Err(error) => {
            if let ReadError::Syntax { line, column, .. } = &error {
                assert!(*line >= 1 && *column >= 1);
            }
            assert!(!error.to_string().is_empty());
        }
        Ok(matrix) => {
            assert!(matrix.height as usize <= text + (1 << 16));
            let rows = matrix.rows::<num_complex::Complex64>().unwrap();
            assert_eq!(rows.lines(), matrix.height as usize);
            drop(rows.lower(1.0.into()));
            drop(matrix.columns::<f64>());
        }
    });
    let most = MOST_FOR_TEXT * text + FREE;
    assert!(bytes <= most, "{bytes} bytes for {text}");
}

/// Makes a gzip file of a matrix with so many entries, which are alike: it unpacks to 600 times
/// itself.
fn bomb(entries: usize) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    let head = format!("%%MatrixMarket matrix coordinate pattern general\n1 1 {entries}\n");
    packed.write_all(head.as_bytes()).unwrap();
    packed.write_all(&b"1 1\n".repeat(entries)).unwrap();
    packed.finish().unwrap()
}

#[test]
fn gzip_that_unpacks_to_far_more_than_itself_is_refused() {
    let packed = bomb(10_000_000);
    assert!(packed.len() < 100_000, "{} bytes", packed.len());
    let (read, bytes) = peak(|| market::read(&packed[..]));
    let ReadError::Unpacked { most, .. } = read.unwrap_err() else {
        panic!("another error");
    };
    assert!(most <= 32 * packed.len() as u64 + (1 << 20), "{most}");
    let bound = MOST_FOR_TEXT * most as usize + FREE;
    assert!(bytes <= bound, "{bytes} bytes");
}

#[test]
fn gzip_may_unpack_to_what_is_allowed() {
    let packed = bomb(1_000_000);
    let text = 4_000_100;
    let error = market::read(&packed[..]).unwrap_err().to_string();
    for part in [
        "the file unpacks to more than ",
        "`gunzip` it, or allow more",
    ] {
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(
        market::read_unpacking(&packed[..], text).unwrap().len(),
        1_000_000
    );
    assert!(matches!(
        market::read_unpacking(&packed[..], 4_000_000),
        Err(ReadError::Unpacked {
            most: 4_000_000,
            ..
        })
    ));
    // Short files, and files of which others follow, as `cat` makes them.
    assert_eq!(market::read(&bomb(200_000)[..]).unwrap().len(), 200_000);
    let twice = [&bomb(10)[..], &packed_zeros()].concat();
    assert!(matches!(
        market::read(&twice[..]),
        Err(ReadError::Unpacked { .. })
    ));
}

/// Makes blank lines without an end.
fn packed_zeros() -> Vec<u8> {
    packed(&vec![b'\n'; 50_000_000])
}

proptest! {
    #[test]
    fn spoiled_text(file in prop::sample::select(&FILES[..]).prop_flat_map(|file| spoiled(file.into()))) {
        hold(&file, file.len());
        let packed = packed(&file);
        hold(&packed, file.len());
    }

    #[test]
    fn spoiled_gzip(file in prop::sample::select(&FILES[..]).prop_flat_map(|file| spoiled(packed(file.as_bytes())))) {
        hold(&file, 1 << 16);
    }

    #[test]
    fn noise(noise in prop::collection::vec(any::<u8>(), 0..300)) {
        hold(&noise, noise.len());
        for head in [&b"%%MatrixMarket matrix coordinate pattern general\n"[..], b"\x1f\x8b\x08\0"] {
            let file = [head, &noise].concat();
            hold(&file, 1 << 16);
        }
    }
}

/// Files that say most in the fewest bytes, a megabyte each.
#[test]
fn dense_files_take_memory_in_proportion() {
    const BYTES: usize = 1 << 20;
    let forms = [
        ("pattern general", "1 1\n"),
        ("pattern symmetric", "2 1\n"),
        ("integer skew-symmetric", "2 1 1\n"),
        ("real general", "1 1 1\n"),
        ("complex hermitian", "2 1 1 1\n"),
    ];
    for (form, entry) in forms {
        let entries = BYTES / entry.len();
        for most in [2, BYTES] {
            let sizes = format!("{most} {most} {entries}");
            let banner = format!("%%MatrixMarket matrix coordinate {form}\n{sizes}\n");
            let file = banner + &entry.repeat(entries);
            hold(file.as_bytes(), file.len());
        }
    }
}

#[test]
fn gzip_that_ends_early_is_an_error_at_each_byte() {
    let entries: String = (1..400)
        .map(|i| format!("{i} {}\n", (i * 7) % 400 + 1))
        .collect();
    let file = format!("%%MatrixMarket matrix coordinate pattern general\n400 400 399\n{entries}");
    let packed = packed(file.as_bytes());
    assert_eq!(market::read(&packed[..]).unwrap().len(), 399);
    for end in 0..packed.len() {
        assert!(market::read(&packed[..end]).is_err(), "{end} bytes");
    }
}

#[test]
fn what_files_declare_takes_no_memory() {
    let banner = "%%MatrixMarket matrix coordinate pattern general\n";
    for sizes in [
        "1 1 1000000000000000000",
        "4294967294 4294967294 0",
        "1 4294967294 18446744073709551615",
    ] {
        let file = format!("{banner}{sizes}\n1 1\n");
        let (read, bytes) = peak(|| market::read(file.as_bytes()));
        assert!(read.is_err(), "{sizes}");
        assert!(bytes < 1 << 20, "{bytes} bytes for {sizes}");
    }
}

#[test]
fn a_line_of_a_gigabyte_takes_no_memory() {
    let banner = b"%%MatrixMarket matrix coordinate pattern general\n";
    let line = std::io::Read::take(std::io::repeat(b'1'), 1 << 30);
    let (read, bytes) = peak(|| market::read(std::io::Read::chain(&banner[..], line)));
    assert_eq!(
        read.unwrap_err().to_string(),
        format!(
            "line 2, column 1: expected a line of at most 65536 bytes, found `{}...`",
            "1".repeat(80)
        )
    );
    assert!(bytes < 1 << 20, "{bytes} bytes");
}
