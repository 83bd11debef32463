//! Identity of an expansion, names of the kernel, and the name of the facade crate.

use std::path::{Component, Path, PathBuf};

use proc_macro_crate::FoundCrate;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Ident, ItemFn};

/// The two expansions of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// In a build script: the trace function.
    Build,
    /// In the crate: the parallel interface.
    Crate,
}

impl Side {
    pub(crate) fn of_this_crate() -> Self {
        let variable = |name| std::env::var(name).ok();
        // A tool that traces kernels itself says so by `cargo::rustc-env`.
        if variable("SUPERSTEP_SIDE").is_some_and(|side| side == "build") {
            return Side::Build;
        }
        Self::of(
            &variable("CARGO_CRATE_NAME").unwrap_or_default(),
            variable("CARGO_BIN_NAME").is_some(),
            std::env::args(),
        )
    }

    /// Returns the side by the names of crate and binary. Cargo calls the crate of `build.rs`
    /// `build_script_build`, and that of `tools/gen.rs` `build_script_gen`; it is a binary without
    /// the name of one. A library, a binary or a test may be called so too: the compiler's
    /// `arguments` tell. (Language servers expand without any.)
    fn of(crate_name: &str, is_named: bool, arguments: impl Iterator<Item = String>) -> Self {
        let arguments: Vec<String> = arguments.collect();
        let is_compiler = arguments.iter().any(|argument| argument == "--crate-name");
        let is_binary = arguments
            .windows(2)
            .any(|pair| pair == ["--crate-type", "bin"]);
        if crate_name.starts_with("build_script_") && !is_named && (is_binary || !is_compiler) {
            Side::Build
        } else {
            Side::Crate
        }
    }
}

/// Context of an expansion: what does not depend on the kernel's text alone.
#[derive(Clone)]
pub(crate) struct Context {
    pub side: Side,
    /// Path of the facade crate, as `::superstep`.
    pub facade: TokenStream,
    /// Directory of generated files, if there is one.
    pub out: Option<PathBuf>,
    /// The source file, as the compiler names it.
    pub file: String,
}

impl Context {
    /// Returns the context of the running compiler.
    pub(crate) fn of_this_crate() -> Self {
        Self {
            side: Side::of_this_crate(),
            facade: facade(),
            out: std::env::var_os("OUT_DIR").map(PathBuf::from),
            file: source_file(),
        }
    }
}

/// Returns the file that holds the attribute, where it lies: `--remap-path-prefix` may hold for one
/// side alone.
fn source_file() -> String {
    let span = Span::call_site();
    let local = span.local_file();
    local.map_or_else(|| span.file(), |path| path.to_string_lossy().into_owned())
}

/// Returns the path of the facade crate, under whatever name the user's `Cargo.toml` gives it.
fn facade() -> TokenStream {
    match proc_macro_crate::crate_name("superstep") {
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::#name)
        }
        _ => quote!(::superstep),
    }
}

/// Name and place of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// Name of the function and a hash: the stem of the generated file.
    pub id: String,
    pub file: String,
    /// Line of the function's name, from 1.
    pub line: u32,
}

impl Identity {
    /// Makes an identity that is equal in both expansions, of two hashes. One is over the tokens,
    /// one over the file's path within the package and the place in it.
    pub(crate) fn new(file: &str, function: &ItemFn) -> Self {
        let start = function.sig.ident.span().start();
        let (mut text, mut place) = (Fnv::new(), Fnv::new());
        text.bytes(function.to_token_stream().to_string().as_bytes());
        place.bytes(within_package(file).as_bytes());
        place.bytes(format!(":{}:{}", start.line, start.column).as_bytes());
        let name = function.sig.ident.to_string();
        Self {
            id: format!("{}-{}", name.trim_start_matches("r#"), hex(&text, &place)),
            file: slashes(&normal(Path::new(file))),
            line: start.line as u32,
        }
    }

    /// Returns the identity of a kernel with the kernels of these ids, which it calls.
    pub(crate) fn with<'c>(mut self, callees: impl Iterator<Item = &'c str>) -> Self {
        for callee in callees {
            let (name, own) = self.id.split_at(self.id.len() - HASHES);
            let theirs = &callee[callee.len() - HASHES..];
            let [mut text, mut place] = [Fnv::new(), Fnv::new()];
            for hashes in [own, theirs] {
                let (of_text, of_place) = hashes.split_at(HASHES / 2);
                text.bytes(of_text.as_bytes());
                place.bytes(of_place.as_bytes());
            }
            self.id = format!("{name}{}", hex(&text, &place));
        }
        self
    }

    /// Returns the hash of the tokens.
    pub(crate) fn text(&self) -> &str {
        let hashes = &self.id[self.id.len() - HASHES..];
        &hashes[..HASHES / 2]
    }
}

/// Length of the two hashes at the end of an id.
const HASHES: usize = 16;

/// Returns the two hashes of an id, half of each.
fn hex(text: &Fnv, place: &Fnv) -> String {
    format!("{:08x}{:08x}", text.0 >> 32, place.0 >> 32)
}

/// Lists the ids of the kernels for which this package's build script has generated programs.
pub(crate) fn generated() -> Option<Vec<String>> {
    let ids = std::env::var("SUPERSTEP_PROGRAMS").ok()?;
    Some(ids.split(',').map(str::to_owned).collect())
}

/// Returns whether two kernels have one name and one text, but not one place.
pub(crate) fn is_copy(id: &str, other: &str) -> bool {
    let text = |id: &str| id.len().checked_sub(HASHES / 2);
    id != other
        && text(id) == text(other)
        && text(id).is_some_and(|end| id.get(..end) == other.get(..end))
}

/// Returns the source file of something parsed, as [`Identity::file`]. There is none outside of
/// compilers.
pub(crate) fn file_of(span: Span) -> Option<String> {
    let file = span.file();
    (!file.starts_with('<')).then(|| slashes(&normal(Path::new(&file))))
}

/// Returns a source file's path within its package, however the compiler was told of it
/// (`tools/../src/kernels.rs`).
fn within_package(file: &str) -> String {
    let path = std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file));
    let path = normal(&path);
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let relative = package.and_then(|root| path.strip_prefix(root).ok().map(Path::to_path_buf));
    slashes(&relative.unwrap_or_else(|| normal(Path::new(file))))
}

/// Returns a path without `.` and `..`, by name only.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some_and(|name| name != "..") => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// The 64-bit FNV-1a hash: stable over compilers, unlike the standard library's.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_of_the_published_test_vector() {
        let mut hash = Fnv::new();
        hash.bytes(b"foobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }

    #[test]
    fn only_build_scripts_are_built_for_them() {
        let side = |crate_name, is_named, arguments: &str| {
            Side::of(
                crate_name,
                is_named,
                arguments.split(' ').map(str::to_owned),
            )
        };
        let binary = "rustc --crate-name build_script_gen --crate-type bin";
        assert_eq!(side("build_script_gen", false, binary), Side::Build);
        assert_eq!(side("build_script_gen", true, binary), Side::Crate);
        let library = "rustc --crate-name build_script_gen --crate-type lib";
        assert_eq!(side("build_script_gen", false, library), Side::Crate);
        let test = "rustc --crate-name build_script_gen --test";
        assert_eq!(side("build_script_gen", false, test), Side::Crate);
        assert_eq!(side("build_script_build", false, "server"), Side::Build);
        assert_eq!(side("lu", false, binary), Side::Crate);
    }

    #[test]
    fn paths_lose_their_detours() {
        let normal = |path: &str| slashes(&normal(Path::new(path)));
        assert_eq!(normal("tools/../src/./kernels.rs"), "src/kernels.rs");
        assert_eq!(normal("../shared/k.rs"), "../shared/k.rs");
    }

    #[test]
    fn place_and_tokens_make_the_identity() {
        let within = |file, text| Identity::new(file, &syn::parse_str(text).unwrap()).id;
        let id = |text| within("src/k.rs", text);
        let one = id("fn k(n: usize) {}");
        assert!(one.starts_with("k-") && one.len() == 18, "{one}");
        let text = |text| Identity::new("src/k.rs", &syn::parse_str(text).unwrap());
        assert_eq!(text("fn k(n: usize) {}").text(), &one[2..10]);
        assert_eq!(one, id("fn k(n: usize) {}"));
        assert_ne!(one, id(" fn k(n: usize) {}"), "another place");
        assert_ne!(one, id("fn k(m: usize) {}"), "other tokens");
        let copy = within("src/l.rs", "fn k(n: usize) {}");
        assert_ne!(one, copy, "another file");
        assert!(is_copy(&one, &copy) && !is_copy(&one, &one));
        assert!(is_copy(&one, &id(" fn k(n: usize) {}")));
        assert!(!is_copy(&one, &id("fn k(m: usize) {}")));
    }
}
