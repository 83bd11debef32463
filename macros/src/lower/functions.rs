//! Functions that stand in the kernel's file: their bodies tell how long calls of them take.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;

use syn::visit::{self, Visit};
use syn::{Block, Expr, File, Ident, Lit, RangeLimits};

use super::operations::Operations;
use crate::places::bare;

/// Functions, methods and constants of a source file by their names. It is read when the first one
/// is asked for.
#[derive(Default)]
pub(crate) struct Functions {
    file: Option<PathBuf>,
    found: OnceCell<Found>,
    /// The operations of functions and methods that were counted before; none of those that may
    /// take any time.
    counted: RefCell<BTreeMap<(String, bool), Option<Operations>>>,
}

impl Functions {
    /// Takes the functions of a file; there are none if it cannot be read.
    pub(crate) fn of_file(file: impl Into<PathBuf>) -> Self {
        Self {
            file: Some(file.into()),
            ..Self::default()
        }
    }

    /// Takes the functions of a source text.
    #[cfg(test)]
    pub(crate) fn of_text(text: &str) -> Self {
        Self {
            found: OnceCell::from(Found::of(text)),
            ..Self::default()
        }
    }

    fn found(&self) -> &Found {
        self.found.get_or_init(|| {
            let text = self.file.as_ref().map(std::fs::read_to_string);
            text.and_then(Result::ok)
                .map_or_else(Found::default, |text| Found::of(&text))
        })
    }

    /// Counts a function once, however many others call it.
    pub(super) fn counted(
        &self,
        name: &str,
        is_method: bool,
        count: impl FnOnce() -> Option<Operations>,
    ) -> Option<Operations> {
        let key = (name.to_owned(), is_method);
        if let Some(known) = self.counted.borrow().get(&key) {
            return known.clone();
        }
        let operations = count();
        self.counted.borrow_mut().insert(key, operations.clone());
        operations
    }

    /// Returns the body of the only function of that name, or the only method.
    pub(super) fn body(&self, name: &str, is_method: bool) -> Option<&Block> {
        let bodies = &self.found().bodies[usize::from(is_method)];
        bodies.get(name)?.as_ref()
    }

    /// Returns how often a loop over these values is run, if numbers or constants tell.
    pub(super) fn length(&self, values: &Expr) -> Option<u32> {
        match bare(values) {
            Expr::Range(range) => {
                let start = self.number(range.start.as_deref()?)?;
                let end = self.number(range.end.as_deref()?)?;
                let last = u32::from(matches!(range.limits, RangeLimits::Closed(_)));
                Some((end + last).saturating_sub(start))
            }
            Expr::MethodCall(call) if call.method == "rev" => self.length(&call.receiver),
            _ => None,
        }
    }

    fn number(&self, value: &Expr) -> Option<u32> {
        match bare(value) {
            Expr::Path(path) => {
                let name = path.path.segments.last()?.ident.to_string();
                self.found().numbers.get(&name).copied()
            }
            Expr::Cast(cast) => self.number(&cast.expr),
            other => literal(other),
        }
    }
}

/// Returns a number as it is written, up to 2^31 - 1.
fn literal(value: &Expr) -> Option<u32> {
    match bare(value) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => u32::try_from(number.base10_parse::<i32>().ok()?).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// Items of a file.
#[derive(Default)]
struct Found {
    /// Bodies of functions, and those of methods, of types and of traits; none where several have
    /// one name.
    bodies: [BTreeMap<String, Option<Block>>; 2],
    /// Constants that are integers.
    numbers: BTreeMap<String, u32>,
}

impl Found {
    fn of(text: &str) -> Self {
        let mut found = Self::default();
        if let Ok(file) = syn::parse_str::<File>(text) {
            found.visit_file(&file);
        }
        found
    }

    fn add(&mut self, is_method: bool, name: &Ident, body: &Block) {
        let (bodies, name) = (&mut self.bodies[usize::from(is_method)], name.to_string());
        let is_first = !bodies.contains_key(&name);
        bodies.insert(name, is_first.then(|| body.clone()));
    }
}

impl<'f> Visit<'f> for Found {
    fn visit_item_fn(&mut self, function: &'f syn::ItemFn) {
        self.add(false, &function.sig.ident, &function.block);
    }

    fn visit_impl_item_fn(&mut self, method: &'f syn::ImplItemFn) {
        self.add(true, &method.sig.ident, &method.block);
    }

    fn visit_item_const(&mut self, constant: &'f syn::ItemConst) {
        if let Some(number) = literal(&constant.expr) {
            self.numbers.insert(constant.ident.to_string(), number);
        }
        visit::visit_item_const(self, constant);
    }
}
