//! Matrix Market files, plain or gzip: reading and writing.
//!
//! ```text
//! %%MatrixMarket matrix coordinate real symmetric
//! % a comment
//! 3 3 3          rows, columns, entries
//! 1 1 4.0        row, column, value; numbers from 1
//! 2 1 -1.0       stands for (1, 2) too
//! 3 3 2.0
//! ```
//!
//! | part | forms |
//! |---|---|
//! | format | `coordinate`; an `array`, which lists all words of a dense matrix, is refused |
//! | field | `real` (`double`), `integer` (`unsigned-integer`), `complex`, `pattern` |
//! | symmetry | `general`, `symmetric`, `skew-symmetric`, `hermitian` |
//!
//! After Boisvert, Pozo and Remington, *The Matrix Market Exchange Formats: Initial Design*, NISTIR
//! 5935, 1996. Beyond it, blank lines and comments may stand anywhere behind the first line, and
//! fields may be separated by any blanks. Entries may be repeated: see [`Matrix::rows`].
//!
//! A malformed file is an error that names line and column. Memory stays in proportion to the text,
//! whatever that declares: a text of `n` bytes has at most `n + 2^16` rows and columns. And the
//! text stays in proportion to a gzip file. It has at most [`UNPACKED`] bytes for each of the file,
//! and 1 MiB, unless [more is asked for](read_unpacking).
//!
//! A reader of our own is here for what others lack.
//!
//! * nalgebra-sparse is the one crate that knows all fields and symmetries. It panics on sizes
//!   beyond 2^64 (0.12), and builds a parse tree of some hundred bytes for each number. It names no
//!   line once that stands, and reads no gzip.
//! * `sprs` says "bad file" without a place.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use num_complex::Complex64;

use crate::lines::{Lines, Words};
pub use crate::unpacking::UNPACKED;
use crate::unpacking::{TooMuch, Unpacking};
use crate::{Matrix, Symmetry, Values};

/// Rows and columns that a file may have beyond one for each of its bytes.
const FREE: u64 = 1 << 16;

const SIZES: &str = "`rows columns entries`";

/// Errors of reading a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is malformed.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Syntax {
        /// Line, from 1.
        line: u64,
        /// Byte of the line, from 1.
        column: u64,
        /// Text that should stand there.
        expected: String,
        /// Text that stands there.
        found: String,
    },
    /// The file cannot be read, or its gzip stream is damaged or ends too early.
    #[error("line {line}: {error}")]
    Io {
        /// Line, from 1.
        line: u64,
        /// Error of the system, or of unpacking.
        #[source]
        error: io::Error,
    },
    /// The gzip file has more text than it may.
    #[error(
        "line {line}: the file unpacks to more than {most} bytes: `gunzip` it, or allow more (`read_unpacking`, `--unpacked`)"
    )]
    Unpacked {
        /// Line, from 1.
        line: u64,
        /// Bytes that it may have.
        most: u64,
    },
    /// One of the above, in that file.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Error in it.
        #[source]
        error: Box<ReadError>,
    },
}

impl ReadError {
    /// Returns the error of a line that could not be read.
    pub(crate) fn of(line: u64, error: io::Error) -> Self {
        let too_much = error.get_ref().and_then(|error| error.downcast_ref());
        match too_much {
            Some(&TooMuch { most }) => Self::Unpacked { line, most },
            None => Self::Io { line, error },
        }
    }
}

/// Reads a file. Its first bytes tell if it is gzip, not its name.
///
/// # Errors
/// [`ReadError::File`] with the path.
pub fn open(path: impl AsRef<Path>) -> Result<Matrix, ReadError> {
    opened(path.as_ref(), None)
}

/// Reads a file, which may unpack to so many bytes, if it is gzip.
///
/// # Errors
/// As [`open`].
pub fn open_unpacking(path: impl AsRef<Path>, most: u64) -> Result<Matrix, ReadError> {
    opened(path.as_ref(), Some(most))
}

fn opened(path: &Path, most: Option<u64>) -> Result<Matrix, ReadError> {
    let file = File::open(path).map_err(|error| ReadError::Io { line: 1, error });
    let read = file.and_then(|file| any(file, most));
    read.map_err(|error| ReadError::File {
        path: path.to_owned(),
        error: Box::new(error),
    })
}

/// Reads a plain or a gzip file.
///
/// # Errors
/// If it is malformed or cannot be read.
///
/// ```
/// use superstep_matrix::market;
///
/// let file = "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 0.5\n";
/// assert_eq!(
///     market::read(file.as_bytes()).unwrap_err().to_string(),
///     "line 3, column 1: expected a row from 1 to 2, found `3`"
/// );
/// ```
pub fn read(file: impl Read) -> Result<Matrix, ReadError> {
    any(file, None)
}

/// Reads a plain file, or a gzip file that may unpack to so many bytes.
///
/// # Errors
/// As [`read`].
///
/// ```
/// use superstep_matrix::market;
///
/// let file = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n";
/// assert_eq!(market::read_unpacking(file.as_bytes(), 1 << 30)?.len(), 1);
/// # Ok::<(), superstep_matrix::ReadError>(())
/// ```
pub fn read_unpacking(file: impl Read, most: u64) -> Result<Matrix, ReadError> {
    any(file, Some(most))
}

/// Demands of a reader beyond the format. Each says what should stand there in place of what it
/// refuses.
///
/// ```
/// use superstep_matrix::market::{Asked, read_places};
///
/// let lower = Asked {
///     sizes: |[height, width]| (height != width).then_some("a square matrix"),
///     place: |[row, column]| (column > row).then_some("an entry of the lower triangle"),
/// };
/// let file = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n";
/// assert_eq!(
///     read_places(file.as_bytes(), &lower).unwrap_err().to_string(),
///     "line 3, column 1: expected an entry of the lower triangle, found `1 2 0.5`"
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Refuses numbers of rows and columns.
    pub sizes: fn([u32; 2]) -> Option<&'static str>,
    /// Refuses the row and column of an entry, from 0.
    pub place: fn([u32; 2]) -> Option<&'static str>,
}

impl Asked {
    /// Demands of the format alone.
    const NOTHING: Self = Self {
        sizes: |_| None,
        place: |_| None,
    };
}

/// Reads a plain or a gzip file as a pattern: of values it is only checked that they are numbers.
///
/// # Errors
/// As [`read`], and for what is not as [asked](Asked).
pub fn read_places(file: impl Read, asked: &Asked) -> Result<Matrix, ReadError> {
    plain(file, None, (asked, false))
}

fn any(file: impl Read, most: Option<u64>) -> Result<Matrix, ReadError> {
    plain(file, most, (&Asked::NOTHING, true))
}

/// Reads a file as its first bytes say; the flag tells whether values are kept.
fn plain(file: impl Read, most: Option<u64>, wanted: (&Asked, bool)) -> Result<Matrix, ReadError> {
    let mut file = BufReader::with_capacity(1 << 16, file);
    let start = file
        .fill_buf()
        .map_err(|error| ReadError::Io { line: 1, error })?;
    if start.starts_with(b"\x1f\x8b") {
        let file = Unpacking::new(file, most);
        text(BufReader::with_capacity(1 << 16, file), wanted)
    } else {
        text(file, wanted)
    }
}

fn text(reader: impl BufRead, (asked, keeps_values): (&Asked, bool)) -> Result<Matrix, ReadError> {
    let mut lines = Lines::new(reader);
    let (field, symmetry) = match lines.first()? {
        Some(words) => banner(words)?,
        None => return Err(Words::ended(1, "`%%MatrixMarket`")),
    };
    if !lines.is_next()? {
        return Err(Words::ended(lines.words().number(), SIZES));
    }
    let sizes = lines.words().number();
    let (height, width, count) = declared(lines.words(), symmetry)?;
    if let Some(expected) = (asked.sizes)([height, width]) {
        return Err(lines.words().refused(expected));
    }
    let form = Form {
        height,
        width,
        symmetry,
    };
    let mut places = Vec::new();
    let mut values = field;
    for at in 0..count {
        if !lines.is_next()? {
            let expected = format!("entry {} of {count}", at + 1);
            return Err(Words::ended(lines.words().number(), expected));
        }
        let mut words = lines.words();
        let place = form.place(&mut words)?;
        if let Some(expected) = (asked.place)(place) {
            return Err(lines.words().refused(expected));
        }
        match keeps_values {
            true => form.value(&mut words, &mut values, place)?,
            false => skip(&mut words, &values)?,
        }
        words.end()?;
        places.push(place);
    }
    if lines.is_next()? {
        let expected = format!("the end of the file after {count} entries");
        return Err(lines.words().unexpected(expected));
    }
    let most = lines.bytes() + FREE;
    let larger = u64::from(height.max(width));
    if larger > most {
        return Err(ReadError::Syntax {
            line: sizes,
            column: 1,
            expected: format!("at most {most} rows and columns in so short a file"),
            found: format!("{larger}"),
        });
    }
    Ok(Matrix {
        height,
        width,
        symmetry,
        places,
        values: if keeps_values {
            values
        } else {
            Values::Pattern
        },
    })
}

/// Skips the numbers of a value of that field.
fn skip(words: &mut Words<'_>, field: &Values) -> Result<(), ReadError> {
    let parts: &[&str] = match field {
        Values::Pattern => &[],
        Values::Real(_) | Values::Integer(_) => &["the value"],
        Values::Complex(_) => &["the real part", "the imaginary part"],
    };
    parts
        .iter()
        .try_for_each(|part| real(words, part).map(drop))
}

/// Reads the first line: no values of a field, and the symmetry.
fn banner(mut words: Words<'_>) -> Result<(Values, Symmetry), ReadError> {
    let is = |word: &[u8], name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    for name in ["%%MatrixMarket", "matrix"] {
        words.take(|| format!("`{name}`"), |word| is(word, name).then_some(()))?;
    }
    words.take(
        || "the format `coordinate` (an `array` lists no pattern)".into(),
        |word| is(word, "coordinate").then_some(()),
    )?;
    let fields = [
        ("real", Values::Real(Vec::new())),
        ("double", Values::Real(Vec::new())),
        ("integer", Values::Integer(Vec::new())),
        ("unsigned-integer", Values::Integer(Vec::new())),
        ("complex", Values::Complex(Vec::new())),
        ("pattern", Values::Pattern),
    ];
    let field = words.take(
        || "a field: `real`, `integer`, `complex` or `pattern`".into(),
        |word| fields.into_iter().find(|(name, _)| is(word, name)),
    )?;
    let symmetries = [
        ("general", Symmetry::General),
        ("symmetric", Symmetry::Symmetric),
        ("skew-symmetric", Symmetry::Skew),
        ("hermitian", Symmetry::Hermitian),
    ];
    let before = words;
    let (_, symmetry) = words.take(
        || "a symmetry: `general`, `symmetric`, `skew-symmetric` or `hermitian`".into(),
        |word| symmetries.into_iter().find(|(name, _)| is(word, name)),
    )?;
    words.end()?;
    let fits = match symmetry {
        Symmetry::General | Symmetry::Symmetric => true,
        Symmetry::Skew => field.1 != Values::Pattern,
        Symmetry::Hermitian => matches!(field.1, Values::Complex(_)),
    };
    if !fits {
        return Err(before.unexpected(
            "`general` or `symmetric` (`skew-symmetric` needs values, `hermitian` complex ones)",
        ));
    }
    Ok((field.1, symmetry))
}

/// Reads the line of sizes: rows, columns, entries.
fn declared(mut words: Words<'_>, symmetry: Symmetry) -> Result<(u32, u32, u64), ReadError> {
    let small = |word: &[u8]| whole(word).filter(|&size| size < u64::from(u32::MAX));
    let mut size = |name: &str| {
        let expected = || format!("the number of {name}, below 2^32 - 1, of {SIZES}");
        words.take(expected, small)
    };
    let height = size("rows")?;
    let width = size("columns")?;
    if symmetry != Symmetry::General && height != width {
        return Err(words.unexpected(format!("a square matrix, as it is {symmetry:?}")));
    }
    let count = words.take(|| format!("the number of entries of {SIZES}"), whole)?;
    words.end()?;
    Ok((height as u32, width as u32, count))
}

/// Kind of a file's entries.
struct Form {
    height: u32,
    width: u32,
    symmetry: Symmetry,
}

impl Form {
    /// Reads row and column, and returns them from 0.
    fn place(&self, words: &mut Words<'_>) -> Result<[u32; 2], ReadError> {
        let row = number(words, "row", self.height)?;
        let before = *words;
        let column = number(words, "column", self.width)?;
        match self.symmetry {
            Symmetry::General => {}
            Symmetry::Skew if column >= row => {
                return Err(before.unexpected("an entry below the diagonal of a skew matrix"));
            }
            _ if column > row => {
                return Err(before.unexpected(format!(
                    "an entry of the lower triangle, as the matrix is {:?}",
                    self.symmetry
                )));
            }
            _ => {}
        }
        Ok([row, column])
    }

    /// Reads the value of the entry at `place`.
    fn value(
        &self,
        words: &mut Words<'_>,
        values: &mut Values,
        place: [u32; 2],
    ) -> Result<(), ReadError> {
        match values {
            Values::Pattern => {}
            Values::Real(values) => values.push(real(words, "the value")?),
            Values::Complex(values) => {
                let re = real(words, "the real part")?;
                let before = *words;
                let im = real(words, "the imaginary part")?;
                if self.symmetry == Symmetry::Hermitian && place[0] == place[1] && im != 0.0 {
                    let expected = "0: the diagonal of a Hermitian matrix is real";
                    return Err(before.unexpected(expected));
                }
                values.push(Complex64::new(re, im));
            }
            Values::Integer(values) => {
                let expected = || "the value, an integer from -2^63 to 2^63 - 1".into();
                values.push(words.take(expected, parsed::<i64>)?);
            }
        }
        Ok(())
    }
}

/// Reads the number of a row or a column of `most`, and returns it from 0.
fn number(words: &mut Words<'_>, name: &str, most: u32) -> Result<u32, ReadError> {
    let expected = || match most {
        0 => format!("no entry: the matrix has no {name}"),
        _ => format!("a {name} from 1 to {most}"),
    };
    let fits = |word: &[u8]| whole(word).filter(|&at| 1 <= at && at <= u64::from(most));
    Ok(words.take(expected, fits)? as u32 - 1)
}

fn real(words: &mut Words<'_>, name: &str) -> Result<f64, ReadError> {
    words.take(|| format!("{name}, a number"), parsed)
}

fn parsed<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Returns a decimal number; `None` when the word is none, or it is 2^64 or more.
fn whole(word: &[u8]) -> Option<u64> {
    let digits = word.strip_prefix(b"+").unwrap_or(word);
    let mut value = 0_u64;
    for byte in digits {
        let digit = byte.checked_sub(b'0').filter(|&digit| digit < 10)?;
        value = value.checked_mul(10)?.checked_add(digit.into())?;
    }
    (!digits.is_empty()).then_some(value)
}

/// Writes a matrix, of which reading gives the same bits.
///
/// # Errors
/// If writing fails.
///
/// # Panics
/// If there are not as many values as places.
pub fn write(matrix: &Matrix, mut file: impl Write) -> io::Result<()> {
    let field = match &matrix.values {
        Values::Pattern => "pattern",
        Values::Real(_) => "real",
        Values::Integer(_) => "integer",
        Values::Complex(_) => "complex",
    };
    let symmetry = match matrix.symmetry {
        Symmetry::General => "general",
        Symmetry::Symmetric => "symmetric",
        Symmetry::Skew => "skew-symmetric",
        Symmetry::Hermitian => "hermitian",
    };
    writeln!(file, "%%MatrixMarket matrix coordinate {field} {symmetry}")?;
    let (height, width) = (matrix.height, matrix.width);
    writeln!(file, "{height} {width} {}", matrix.len())?;
    for (at, &[row, column]) in matrix.places.iter().enumerate() {
        write!(file, "{} {}", row + 1, column + 1)?;
        match &matrix.values {
            Values::Pattern => writeln!(file),
            Values::Real(values) => writeln!(file, " {:e}", values[at]),
            Values::Integer(values) => writeln!(file, " {}", values[at]),
            Values::Complex(values) => writeln!(file, " {:e} {:e}", values[at].re, values[at].im),
        }?;
    }
    file.flush()
}
