//! Inner loop over slices: all iterations, or those for which some words that stand apart are
//! [packed](superstep_runtime::words::packed), a piece at a time.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{Access, Function, inlined};

impl Function<'_> {
    /// Prints the loop in a function of its own, once or for each piece.
    ///
    /// The slices are its parameters, so that the compiler knows that they alias neither each other
    /// nor a row. It would test that at run time otherwise, and with it whether the words of a row
    /// alias those near them. They do: `x[i] = f(x[i], x[i + 1], x[i + n / 2])` would be no loop
    /// over vectors.
    ///
    /// | kernel | time by that without |
    /// |---|---|
    /// | a hash | 0.20 |
    /// | an erosion of bytes | 0.09 |
    /// | a drift of fields in turn | 0.18 |
    /// | a relaxation | 0.97 |
    pub(super) fn apart(&self, access: &[Access], iterations: TokenStream) -> TokenStream {
        let (mut names, mut slices, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
        for c in self.roots() {
            let Access::Slice(name) = &access[c] else {
                continue;
            };
            let reference = self.reference(c);
            pieces.push(if self.is_packed(c) {
                self.pack(c)
            } else {
                quote! { #reference #name[piece.clone()] }
            });
            slices.push(reference);
            names.push(name);
        }
        let has_rows = access
            .iter()
            .any(|access| matches!(access, Access::Near(..)));
        let run_on = if names.is_empty() || names.len() == 1 && !has_rows {
            iterations
        } else {
            let count = self.count();
            let run_on = inlined(&quote! {
                |#(#names: #slices [_]),*| {
                    #(let #names = #slices #names[..#count];)*
                    #iterations
                }
            });
            quote! {
                let mut run_on = #run_on;
                run_on(#(#names),*);
            }
        };
        if !self.packs() {
            return run_on;
        }
        quote! {
            for piece in pieces(run.count()) {
                #(let #names = #pieces;)*
                #run_on
            }
        }
    }

    /// Prints the number of iterations of the loop.
    pub(super) fn count(&self) -> TokenStream {
        if self.packs() {
            quote! { piece.len() }
        } else {
            quote! { run.count() }
        }
    }

    /// Prints the number of an iteration of the loop in the run.
    pub(super) fn number(&self) -> TokenStream {
        if self.packs() {
            quote! { piece.start + x }
        } else {
            quote! { x }
        }
    }

    /// Prints room for words that are packed. Lines of a block that are no longer than a piece, and
    /// read the same, find them there.
    pub(super) fn room(&self) -> TokenStream {
        let rooms = self.packed().map(room);
        quote! { #(let mut #rooms = Packed::new();)* }
    }

    pub(super) fn is_packed(&self, c: usize) -> bool {
        self.signature.is_packed(&self.uses, c)
    }

    /// Iterates over the components of words that are packed.
    fn packed(&self) -> impl Iterator<Item = usize> {
        self.roots().filter(|&c| self.is_packed(c))
    }

    fn packs(&self) -> bool {
        self.packed().next().is_some()
    }

    /// Prints the words of component `c` in a piece. Nobody writes them while the function runs.
    fn pack(&self, c: usize) -> TokenStream {
        let (room, field) = (room(c), self.field(c));
        let (start, step) = (self.start(c), self.step(c));
        let array = if self.is_input(c) {
            quote! { memory.#field }
        } else {
            quote! { &memory.#field }
        };
        quote! { #room.words(#array, Run::advance(#start, #step, piece.start), #step, piece.len()) }
    }
}

/// Names the room in which the words of a component are packed.
fn room(c: usize) -> Ident {
    format_ident!("packed_{}", c)
}
