//! Plans come back from files and give the bits of the function; all else is refused with the
//! reason.

use std::fs;
use std::path::{Path, PathBuf};

use superstep::kernel;
use superstep::plan::{Costs, DecodeError, FileError, Schedule, Windows, Within};
use superstep_planned::kernels;

/// A directory of a test's own.
fn directory(test: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

/// Lower triangle of a grid with lines of 8; the diagonal is last in its row.
fn lower(n: usize) -> (Vec<usize>, Vec<u32>) {
    let (mut row, mut col) = (vec![0], Vec::new());
    for i in 0..n as u32 {
        col.extend(i.checked_sub(8));
        col.extend(i.checked_sub(1).filter(|_| i % 8 > 0));
        col.push(i);
        row.push(col.len());
    }
    (row, col)
}

/// Its transposed: the diagonal is first in its row.
fn upper(n: usize) -> (Vec<usize>, Vec<u32>) {
    let (mut row, mut col) = (vec![0], Vec::new());
    for i in 0..n as u32 {
        col.push(i);
        col.extend(Some(i + 1).filter(|j| j % 8 > 0 && (*j as usize) < n));
        col.extend(Some(i + 8).filter(|&j| (j as usize) < n));
        row.push(col.len());
    }
    (row, col)
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 + (i % 17) as f64 / 8.0).collect()
}

/// Numbers as text: exact, but for what a NaN holds.
fn shown(x: &impl std::fmt::Debug) -> String {
    format!("{x:?}")
}

const SCHEDULES: [Schedule; 3] = [
    Schedule::Fastest,
    Schedule::GrowLocal,
    Schedule::Doacross(Windows {
        grains: 4,
        chunks: 4,
        within: Within::Levels,
    }),
];

/// Builds a plan for each schedule and 1 to 4 processors, saves it and opens it. Compares what its
/// run gives with what the function gives.
macro_rules! comes_back {
    ($kernel:ident($($control:expr),*), $start:expr, |$x:ident| ($($data:expr),*)) => {
        let path = directory(concat!("it_comes_back_", stringify!($kernel))).join("it.plan");
        let mut expected = $start;
        let $x = &mut expected;
        kernels::$kernel($($control,)* $($data),*);
        for (processors, schedule) in (1..5).flat_map(|p| SCHEDULES.map(|schedule| (p, schedule))) {
            let costs = Costs { least: 1.0, ..Costs::default() };
            let planner = kernels::$kernel::plan($($control),*);
            let built = planner.exactly(processors).schedule(schedule).costs(costs);
            let built = built.build().unwrap();
            built.save(&path).unwrap();
            // Calls that do not insist begin with the function.
            let opened = planner.exactly(processors).open(&path).unwrap();
            assert_eq!(opened.report(), built.report());
            for _ in 0..2 {
                let mut found = $start;
                let $x = &mut found;
                opened.run($($data),*).unwrap();
                assert_eq!(shown(&found), shown(&expected));
                if schedule != Schedule::Fastest && processors > 1 {
                    let ran = superstep::last_run().map(|ran| ran.processors);
                    assert_eq!(ran, Some(processors), "{:?}", superstep::last_reason());
                }
            }
            // What was opened is saved as it was.
            let bytes = fs::read(&path).unwrap();
            opened.save(&path).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        let left = fs::read_dir(path.parent().unwrap()).unwrap();
        assert_eq!(left.count(), 1);
    };
}

/// Size of the kernels.
const N: usize = 60;

#[test]
fn forward_substitution() {
    let ((row, col), values) = (lower(N), numbers(3 * N));
    comes_back!(forward(N, &row, &col), numbers(N), |x| (&values, x));
}

#[test]
fn backward_substitution() {
    let ((row, col), values, b) = (upper(N), numbers(3 * N), numbers(N));
    comes_back!(backward(N, &row, &col), numbers(N), |x| (&values, &b, x));
}

#[test]
fn symmetric_sweeps() {
    let ((row, col), values, b) = (lower(N), numbers(3 * N), numbers(N));
    comes_back!(sweeps(N, 2, &row, &col), numbers(N), |x| (&values, &b, x));
}

#[test]
fn factors() {
    let entry = |i| if i % 15 == 0 { 50.0 } else { (i % 13) as f64 };
    let matrix: Vec<f64> = (0..14 * 14).map(entry).collect();
    comes_back!(lu(14), matrix.clone(), |a| (a));
}

#[test]
fn blocks_of_words() {
    let near = |i: u16| [i.saturating_sub(9), (i + 20) % N as u16];
    let from: Vec<_> = (0..N as u16).map(near).collect();
    let start = || (vec![[0.5f32, 1.5, -2.0]; N], 0.0f32);
    comes_back!(blocks(N, &from), start(), |x| (&mut x.0, &mut x.1));
}

#[test]
fn quotients_of_whole_numbers() {
    let before: Vec<_> = (0..N).map(|i| i.saturating_sub(7)).collect();
    comes_back!(quotients(N, &before), vec![1; N], |x| (&[3; N], x));
}

#[test]
fn constants_and_methods_in_control() {
    let by: Vec<_> = (0..N as u8).map(|i| i / 2).collect();
    comes_back!(shifted(N, &by), vec![0.75f32; N], |x| (x));
}

/// A small plan of the forward substitution, in a file.
fn saved(test: &str) -> (PathBuf, Vec<u8>) {
    let path = directory(test).join("it.plan");
    let (row, col) = lower(20);
    let planner = kernels::forward::plan(20, &row, &col).exactly(2);
    let costs = Costs {
        least: 1.0,
        ..Costs::default()
    };
    let plan = planner.schedule(SCHEDULES[2]).costs(costs);
    plan.build().unwrap().save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    (path, bytes)
}

fn open(path: &Path) -> FileError {
    let (row, col) = lower(20);
    let opened = kernels::forward::plan(20, &row, &col).open(path);
    opened.map(|_| ()).unwrap_err()
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_refused() {
    let (path, bytes) = saved("a_file_that_is_cut_off_anywhere_is_refused");
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = open(&path);
        let FileError::Decode {
            source: DecodeError::Truncated { found, .. },
            ..
        } = error
        else {
            panic!("{length} bytes: {error}");
        };
        assert_eq!(found, length);
    }
}

/// Bytes of magic, version and length.
const HEAD: usize = 20;

#[test]
fn a_bit_or_byte_that_is_another_one_is_refused() {
    let (path, bytes) = saved("a_bit_or_byte_that_is_another_one_is_refused");
    for at in 0..bytes.len() {
        let head = [1, 2, 4, 8, 16, 32, 64, 128];
        for &change in if at < HEAD { &head[..] } else { &[255] } {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            fs::write(&path, &changed).unwrap();
            let error = open(&path);
            assert!(matches!(error, FileError::Decode { .. }), "{at}: {error}");
        }
    }
}

#[test]
fn refusals_name_the_file_and_what_differs() {
    let (path, bytes) = saved("refusals_name_the_file_and_what_differs");
    let (row, col) = lower(20);
    let (n, shown) = (20, path.display());
    let assert_refused = |opened: Result<(), FileError>, message: &str| {
        assert_eq!(
            opened.unwrap_err().to_string(),
            format!("{shown}: {message}")
        );
    };
    assert_refused(
        kernels::backward::plan(n, &row, &col)
            .open(&path)
            .map(|_| ()),
        "the plan is of the kernel `forward`, not of `backward`",
    );
    assert_refused(
        other::forward::plan(n, &row, &col).open(&path).map(|_| ()),
        "the kernel `forward` has been changed since the plan was saved",
    );
    assert_refused(
        kernels::forward::plan(19, &row, &col)
            .open(&path)
            .map(|_| ()),
        "`n` was 20 when the plan was saved, and is 19",
    );
    assert_refused(
        kernels::forward::plan(n, &row[..n], &col)
            .open(&path)
            .map(|_| ()),
        "`row` had 21 elements when the plan was saved, and has 20",
    );
    let mut others = col.clone();
    others[7] = 0;
    assert_refused(
        kernels::forward::plan(n, &row, &others)
            .open(&path)
            .map(|_| ()),
        "`col` has other elements than when the plan was saved",
    );
    let planner = kernels::forward::plan(n, &row, &col);
    assert_refused(
        planner.exactly(3).open(&path).map(|_| ()),
        "a plan for 2 processors, not for 3",
    );
    assert!(planner.exactly(2).open(&path).is_ok());

    let mut newer = bytes.clone();
    newer[8] = 4;
    fs::write(&path, newer).unwrap();
    assert_refused(
        planner.open(&path).map(|_| ()),
        "a plan file of version 4, where 3 is known: build the plan anew",
    );
    fs::write(&path, &bytes[..40]).unwrap();
    let cut = format!("the plan file is cut off: 40 bytes of {}", bytes.len());
    assert_refused(planner.open(&path).map(|_| ()), &cut);
    let mut damaged = bytes.clone();
    damaged[50] ^= 1;
    fs::write(&path, damaged).unwrap();
    let message = "the plan file is damaged: its checksum";
    assert_refused(planner.open(&path).map(|_| ()), message);
    fs::write(&path, "%%MatrixMarket matrix coordinate\n").unwrap();
    assert_refused(planner.open(&path).map(|_| ()), "not a plan file");
}

mod other {
    use super::kernel;

    /// Another kernel of that name.
    #[kernel(plan)]
    pub(crate) fn forward(
        n: usize,
        #[structure] row: &[usize],
        #[structure] col: &[u32],
        x: &mut [f64],
    ) {
        for i in 0..n {
            for e in row[i]..row[i + 1] {
                x[i] += x[col[e] as usize];
            }
        }
    }
}

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    let (path, bytes) = saved("files_that_cannot_be_read_or_written_are_named");
    let (row, col) = lower(20);
    let nowhere = path.with_file_name("nowhere").join("it.plan");
    let error = open(&nowhere);
    assert!(matches!(error, FileError::Read { .. }), "{error}");
    let start = format!("{}: ", nowhere.display());
    assert!(error.to_string().starts_with(&start), "{error}");

    let plan = kernels::forward::plan(20, &row, &col).open(&path).unwrap();
    let error = plan.save(&nowhere).unwrap_err();
    assert!(matches!(error, FileError::Write { .. }), "{error}");
    assert!(error.to_string().starts_with(&start), "{error}");
    // A directory that is not empty can't be replaced, and what was written beside it goes.
    let directory = path.parent().unwrap();
    fs::create_dir_all(directory.join("full/of")).unwrap();
    assert!(plan.save(directory.join("full")).is_err());
    assert_eq!(fs::read_dir(directory).unwrap().count(), 2);
    // A file that a writer has left is its own.
    fs::write(path.with_file_name("it.plan.0.new"), "").unwrap();
    plan.save(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(fs::read_dir(directory).unwrap().count(), 3);
}

/// Saved plans go where their paths lead, with the rights that are there, or nowhere.
#[cfg(unix)]
#[test]
fn links_and_modes_stay_and_devices_are_refused() {
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};

    let directory = directory("links_and_modes");
    let (row, col) = lower(20);
    let plan = kernels::forward::plan(20, &row, &col).build().unwrap();
    let (path, link) = (directory.join("it.plan"), directory.join("link.plan"));
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("it.plan", &link).unwrap();
    plan.save(&link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    kernels::forward::plan(20, &row, &col).open(&path).unwrap();

    // Not a device itself: it would be gone, should this fail.
    let socket = directory.join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let error = plan.save(&socket).unwrap_err();
    let text = "socket: not a regular file, and only such are written";
    assert!(error.to_string().ends_with(text), "{error}");
    assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 3);
}

/// Kernels of one text: the constant stands outside of it, so that the identity does not tell them
/// apart.
macro_rules! with_constant {
    ($module:ident, $before:expr, $first:expr) => {
        mod $module {
            use super::kernel;

            pub(crate) const BEFORE: usize = $before;
            pub(crate) const FIRST: usize = $first;

            /// Adds to words what stands some places before them.
            #[kernel(plan)]
            pub(crate) fn strides(n: usize, x: &mut [f64]) {
                for i in FIRST..n {
                    x[i] += x[i - BEFORE];
                }
            }
        }
    };
}
with_constant!(far, 5, 5);
with_constant!(near, 4, 5);
with_constant!(fewer, 5, 6);

#[test]
fn a_plan_that_does_not_order_what_the_kernel_needs_is_not_proved() {
    let path = directory("a_plan_that_is_not_proved").join("it.plan");
    let costs = Costs {
        least: 1.0,
        ..Costs::default()
    };
    let windows = Schedule::Doacross(Windows {
        grains: 1,
        chunks: 1,
        within: Within::Run,
    });
    let planner = far::strides::plan(40).exactly(3).costs(costs);
    let plan = planner.schedule(windows).build().unwrap();
    plan.save(&path).unwrap();
    assert!(far::strides::plan(40).open(&path).is_ok());

    let error = near::strides::plan(40).open(&path).map(|_| ());
    let message = error.unwrap_err().to_string();
    let start = format!(
        "{}: strides: the plan is refused: array 0, word ",
        path.display()
    );
    assert!(message.starts_with(&start), "{message}");
    assert!(message.contains("does not come after"), "{message}");

    let error = fewer::strides::plan(40).open(&path).map(|_| ());
    let expected =
        "strides: the plan is refused: the plan has grains that are not all iterations in order";
    let expected = format!("{}: {expected}", path.display());
    assert_eq!(error.unwrap_err().to_string(), expected);
}

/// Control of all kinds.
#[kernel(plan)]
pub(crate) fn mixed(
    n: usize,
    step: u8,
    is_backward: bool,
    #[structure] at: &[[u16; 2]; 3],
    y: &[f64],
    x: &mut [f64],
) {
    for i in 0..n {
        if i < y.len() && !is_backward {
            x[i] += y[i];
        }
        x[at[i % 3][0] as usize] += x[at[i % 3][1] as usize + step as usize];
    }
}

#[test]
fn control_of_each_kind_counts() {
    let path = directory("control_of_each_kind_counts").join("it.plan");
    let at = [[0, 1], [2, 3], [1, 0]];
    let plan = mixed::plan;
    let built = plan(6, 1, false, &at, 4).exactly(2).build().unwrap();
    built.save(&path).unwrap();
    assert!(plan(6, 1, false, &at, 4).open(&path).is_ok());
    let message = |planner: mixed::Planner<'_>| {
        let error = planner.open(&path).map(|_| ()).unwrap_err().to_string();
        error[path.display().to_string().len() + 2..].to_owned()
    };
    let when = "when the plan was saved";
    let refused = [
        (
            plan(6, 2, false, &at, 4),
            format!("`step` was 1 {when}, and is 2"),
        ),
        (
            plan(6, 1, true, &at, 4),
            format!("`is_backward` was false {when}, and is true"),
        ),
        (
            plan(6, 1, false, &at, 3),
            format!("`y.len()` was 4 {when}, and is 3"),
        ),
        (
            plan(6, 1, false, &[[0, 1], [2, 3], [1, 1]], 4),
            format!("`at` has other elements than {when}"),
        ),
    ];
    for (planner, expected) in refused {
        assert_eq!(message(planner), expected);
    }
}
