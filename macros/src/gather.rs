//! Scatters as gathers: updates that a loop scatters over an array are made word by word.
//!
//! A triangular solve by columns takes each unknown out of the equations that follow:
//!
//! ```text
//! for i in 0..n {
//!     x[i] /= diagonal[i];
//!     for e in start[i]..start[i + 1] { x[row[e]] -= values[e] * x[i]; }    // a scatter
//! }
//! ```
//!
//! All updates of a word are a chain through all iterations that touch it. The word is stored and
//! loaded again each time, and processors wait for every link. Gathered, an iteration first makes
//! all updates of its own word, in the order in which the loop made them:
//!
//! ```text
//! for g in 0..iterations.len() {
//!     let i = iterations[g];
//!     for k in starts[g]..starts[g + 1] {
//!         let (j, e) = (sources[k], entries[k]);
//!         x[i] -= values[e] * x[j];
//!     }
//!     x[i] /= diagonal[i];
//! }
//! ```
//!
//! Each word has the same updates in the same order, so the same bits. Which updates those are is
//! recorded when a plan is made, by statements that [`Gather::recording`] has. They find out, too,
//! whether each word is updated only before its own iteration. The text tells the rest:
//!
//! * the updated array is used in that loop at one place of the iteration's own, and at the
//!   update's target;
//! * the update reads beside it only arguments that nobody writes;
//! * statements behind the scatter leave the array alone.

mod copies;
mod names;
mod scatter;
mod uses;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, FnArg, ItemFn, Pat, Stmt, Type, parse_quote};

use self::copies::without_copies;
use self::names::Names;
use self::scatter::Scatter;
use crate::text::identifiers;

/// Kernel whose scatters are gathers.
pub(crate) struct Gather {
    /// The kernel, with four `#[structure]` parameters for each gathered loop, in that order.
    pub function: ItemFn,
    /// Names of these parameters.
    pub parameters: Vec<[Ident; 4]>,
    /// Statements that record the updates of all those loops: to `recorders`, one for each loop.
    pub recording: Vec<Stmt>,
}

/// Expansion of a kernel with gathers: its module, and what the original kernel knows of it.
pub(crate) struct Gathered {
    pub module: Ident,
    pub contents: TokenStream,
    pub recording: Vec<Stmt>,
    pub loops: usize,
    /// Parameters that it has in common with the original kernel: control, data, and values.
    pub control: Vec<Ident>,
    pub arguments: Vec<Ident>,
    pub values: Vec<Ident>,
}

impl Gathered {
    /// Prints the module, which stands beside that of the kernel.
    pub(crate) fn printed(&self) -> TokenStream {
        let Self {
            module, contents, ..
        } = self;
        quote!(mod #module { use super::*; #contents })
    }
}

/// Name of the recorders in [`Gather::recording`].
pub(crate) fn recorders() -> Ident {
    Ident::new("recorders", Span::mixed_site())
}

/// Returns the kernel with gathers, if it has scatters. `integer` tells the type of a loop's
/// variable, if that is known.
pub(crate) fn of(function: &ItemFn, integer: &dyn Fn(&Ident) -> Option<Type>) -> Option<Gather> {
    let taken = identifiers(function);
    let mut names = Names::of(function);
    let is_item = |statement: &Stmt| matches!(statement, Stmt::Item(_));
    if function.block.stmts.iter().any(is_item) {
        return None;
    }
    let mut gathered = Gather {
        function: function.clone(),
        parameters: Vec::new(),
        recording: Vec::new(),
    };
    for statement in &mut gathered.function.block.stmts {
        if let Stmt::Local(local) = statement {
            if names.declare(local) {
                gathered.recording.push(Stmt::Local(local.clone()));
            }
            continue;
        }
        let Stmt::Expr(Expr::ForLoop(each), _) = statement else {
            continue;
        };
        let loops = without_copies(each);
        let Some(scatter) = Scatter::of(&loops, &names) else {
            continue;
        };
        let [Some(iteration), Some(entry)] = scatter.variables().map(integer) else {
            continue;
        };
        let number = gathered.parameters.len();
        let parameters = ["iterations", "starts", "sources", "entries"];
        let parameters = parameters.map(|name| format_ident!("gathered_{name}_{number}"));
        gathered
            .recording
            .push(scatter.recorded(&recorders(), number));
        *each = scatter.gathered(&parameters, [&iteration, &entry], number);
        gathered.parameters.push(parameters);
    }
    // Who is no longer used would be neither control nor data.
    let used = identifiers(&gathered.function.block);
    let inputs = &mut gathered.function.sig.inputs;
    let all = std::mem::take(inputs);
    inputs.extend(all.into_iter().filter(|parameter| match parameter {
        FnArg::Typed(parameter) => match &*parameter.pat {
            Pat::Ident(name) => used.contains(&name.ident.to_string()),
            _ => true,
        },
        FnArg::Receiver(_) => true,
    }));
    for name in gathered.parameters.iter().flatten() {
        inputs.push(parse_quote!(#[structure] #name: &[u32]));
    }
    let is_free = |name: &Ident| !taken.contains(&name.to_string());
    let are_free = gathered.parameters.iter().flatten().all(is_free);
    (are_free && !gathered.parameters.is_empty()).then_some(gathered)
}

#[cfg(test)]
mod tests;
