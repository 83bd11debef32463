//! Inner loop over slices: all iterations in one go, or a piece at a time where words are
//! [packed](superstep_runtime::words::packed).
//!
//! Words that stand apart (strided) are packed: copied into a buffer, so that the compiler can make
//! vectors of them. Their array is one that the function only reads.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{Access, Function, inlined};

impl Function<'_> {
    /// Prints the loop over `iterations`, once or for each piece. Several slices, or one beside
    /// rows, become the parameters of a closure around it.
    ///
    /// Parameters are `noalias`: the compiler knows that they alias neither each other nor a row.
    /// Else it would test that at run time, and in one go whether words of a row alias each other.
    /// They do in `x[i] = f(x[i], x[i + 1], x[i + n / 2])`, which would be no loop over vectors.
    ///
    /// | kernel | time with the closure over that without |
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

    /// Prints a buffer for each packed component, outside of the loop over lines. A line that reads
    /// the same words as the one before finds them there, if it is no longer than a piece.
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

    /// Prints the packed words of component `c` in a piece. They stay right from line to line, as
    /// nobody writes their array while the function runs.
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

/// Names the buffer in which the words of a component are packed.
fn room(c: usize) -> Ident {
    format_ident!("packed_{}", c)
}
