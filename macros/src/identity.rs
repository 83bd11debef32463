//! Which expansion this is, what the kernel is called, and what the facade crate is called.

use std::path::{Component, Path, PathBuf};

use proc_macro_crate::FoundCrate;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Ident, ItemFn};

use crate::calls::Callees;

/// The two expansions of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// In a build script: the trace function.
    Build,
    /// In the crate: the parallel interface.
    Crate,
}

impl Side {
    /// Cargo calls the crate of `build.rs` `build_script_build`, and that of `tools/gen.rs` `build_script_gen`.
    pub(crate) fn of_this_crate() -> Self {
        match std::env::var("CARGO_CRATE_NAME") {
            Ok(name) if name.starts_with("build_script_") => Side::Build,
            _ => Side::Crate,
        }
    }
}

/// What does not depend on the kernel's text alone.
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
    /// The context of the running compiler.
    pub(crate) fn of_this_crate() -> Self {
        Self {
            side: Side::of_this_crate(),
            facade: facade(),
            out: std::env::var_os("OUT_DIR").map(PathBuf::from),
            file: Span::call_site().file(),
        }
    }
}

/// Path of the facade crate, under whatever name the user's `Cargo.toml` gives it.
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
    /// The same in both expansions: the hash is over the file's path within the package, the place in it, and the tokens.
    pub(crate) fn new(file: &str, function: &ItemFn) -> Self {
        let start = function.sig.ident.span().start();
        let mut hash = Fnv::new();
        hash.bytes(within_package(file).as_bytes());
        hash.bytes(format!(":{}:{}:", start.line, start.column).as_bytes());
        hash.bytes(function.to_token_stream().to_string().as_bytes());
        let name = function.sig.ident.to_string();
        Self {
            id: format!("{}-{:016x}", name.trim_start_matches("r#"), hash.0),
            file: slashes(&normal(Path::new(file))),
            line: start.line as u32,
        }
    }

    /// That of a kernel with what it calls.
    pub(crate) fn with(mut self, callees: &Callees) -> Self {
        for callee in callees.ids() {
            let mut hash = Fnv::new();
            hash.bytes(self.id.as_bytes());
            hash.bytes(callee.as_bytes());
            self.id.truncate(self.id.len() - 16);
            self.id += &format!("{:016x}", hash.0);
        }
        self
    }
}

/// The source file of something parsed, as [`Identity::file`]. There is none outside of compilers.
pub(crate) fn file_of(span: Span) -> Option<String> {
    let file = span.file();
    (!file.starts_with('<')).then(|| slashes(&normal(Path::new(&file))))
}

/// A source file's path within its package, however the compiler was told of it (`tools/../src/kernels.rs`).
fn within_package(file: &str) -> String {
    let path = std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file));
    let path = normal(&path);
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let relative = package.and_then(|root| path.strip_prefix(root).ok().map(Path::to_path_buf));
    slashes(&relative.unwrap_or_else(|| normal(Path::new(file))))
}

/// Without `.` and `..`, by name only.
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
        assert_eq!(one, id("fn k(n: usize) {}"));
        assert_ne!(one, id(" fn k(n: usize) {}"), "another place");
        assert_ne!(one, id("fn k(m: usize) {}"), "other tokens");
        assert_ne!(one, within("src/l.rs", "fn k(n: usize) {}"), "another file");
    }
}
