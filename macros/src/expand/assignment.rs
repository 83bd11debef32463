//! Assignments in place, printed for the tasks of grains: the code by which plans compute.
//!
//! Arguments are the runtime's proved arrays (its `words::proved`), which test no index in a
//! release build. That is sound because tracking has evaluated the same index for the same grain.
//! It evaluates neither control values of statements nor indices of a grain's own arrays. What
//! these read of structure is therefore tested. Ranks run the same code on the words that they
//! hold, with tests.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Expr;

use super::names::{common_name, hygienic};
use super::printer::{Emitted, Printer};
use crate::kernel::{Dimension, Id};
use crate::lower::{Role, Task};
use crate::places::{self, Place};

impl Printer<'_> {
    /// Prints a task as an assignment that reads its operands where they are.
    pub(super) fn assignment(&self, task: &Task) -> TokenStream {
        let statement = &self.expansion.lowered.statements[task.statement];
        let mut print = |index: &Expr| self.in_place(index);
        let operands = statement.operands.iter().zip(&task.operands);
        let operands: Vec<TokenStream> = operands
            .map(|(&array, at)| self.word(array, at, &mut print))
            .collect();
        self.computed(task, &operands, &mut print)
    }

    /// Prints a task by its printed operands: a call of its statement's function, and the word that
    /// takes the result. A guard writes no word: there the grain gives up on an error.
    pub(super) fn computed(
        &self,
        task: &Task,
        operands: &[TokenStream],
        print: &mut dyn FnMut(&Expr) -> Expr,
    ) -> TokenStream {
        let statement = &self.expansion.lowered.statements[task.statement];
        let number = Ident::new(&format!("s{}", task.statement), Span::call_site());
        let control = task.control.iter().map(|(value, ty)| {
            let (value, typed) = (self.tested(value, print(value)), hygienic("value"));
            quote!({ let #typed: #ty = #value; #typed })
        });
        let control: Vec<TokenStream> = control.collect();
        let (mut operands, mut before) = (operands.to_vec(), TokenStream::new());
        if statement.target.is_some() && statement.target == statement.operands.first().copied() {
            // A word that is updated is read last, as in the function. Before its check, which may
            // panic, compilers move loads that are the same in all iterations out of the loop.
            for (number, operand) in operands.iter_mut().enumerate().skip(1) {
                let name = hygienic(&format!("operand{number}"));
                before.extend(quote!(let #name = #operand;));
                *operand = quote!(#name);
            }
        }
        let mut value = quote!(statements::#number(#(#operands,)* #(#control),*));
        if !before.is_empty() {
            value = quote!({ #before #value });
        }
        let Some(target) = statement.target else {
            let (private, error) = (self.private, hygienic("error"));
            return quote! {
                if let ::core::result::Result::Err(#error) = #value {
                    #private::give_up(#error);
                }
            };
        };
        let target = self.word(target, &task.at, print);
        quote!(#target = #value;)
    }

    /// Prints a word of an array: of the [view](Expansion::words_of_view), or of the grain itself.
    /// A word that is in a register is used there.
    pub(super) fn word(
        &self,
        array: usize,
        at: &[Expr],
        print: &mut dyn FnMut(&Expr) -> Expr,
    ) -> TokenStream {
        if let Some(word) = self.in_register(array, at, print) {
            return word;
        }
        let lowered = &self.expansion.lowered.arrays[array];
        let binding = &self.expansion.kernel.bindings[lowered.id];
        let name = &binding.unique;
        let is_common = self.common.contains(&array);
        if lowered.role == Role::Local && !is_common {
            // Places in a grain's own arrays are not tracked.
            let mut tested = |index: &Expr| self.tested(index, print(index));
            let flat = self.flat(lowered.id, 0, at, &mut tested);
            return match &binding.dimensions[..] {
                [] => quote!(#name),
                _ => quote!(#name[#flat]),
            };
        }
        let name = match is_common {
            true => common_name(name),
            false => name.clone(),
        };
        // A block is an element of a slice with all its words, whose number is known when compiled.
        let is_slice = matches!(binding.dimensions.first(), Some(Dimension::Slice));
        let (outer, inner) = at.split_at(usize::from(is_slice));
        let block = self.flat(lowered.id, 0, outer, print);
        if inner.is_empty() {
            return quote!(#name[#block]);
        }
        let place = self.flat(lowered.id, outer.len(), inner, print);
        let lengths = (outer.len()..at.len()).map(|depth| self.length(lowered.id, depth, false));
        let (private, words) = (self.private, quote!({ 1 #(* (#lengths))* }));
        let inside = quote!(#private::Inside::<#words>(#block, #place));
        match lowered.role {
            Role::Input => quote!(*#name.inside(#inside)),
            _ => quote!(#name[#inside]),
        }
    }

    /// Prints control that tracking does not evaluate, with tests where it reads structure. Without
    /// tests an index that nothing has checked would reach beyond a proved array.
    /// A tape has tested values, but what is no value is computed from structure there, too.
    fn tested(&self, control: &Expr, printed: Expr) -> Expr {
        let reads_structure = match self.emitted {
            Emitted::Assignment => true,
            Emitted::Replayed => !self.is_in_values(control),
            _ => false,
        };
        if !reads_structure {
            return printed;
        }
        let bindings = &self.expansion.kernel.bindings;
        let reads = |slice: Id| {
            places::any(
                control,
                bindings,
                &mut |place| matches!(place, Place::Element(id, _) | Place::Whole(id) if *id == slice),
            )
        };
        let slices = self.expansion.structure();
        let names: Vec<_> = slices
            .filter(|&(id, ..)| reads(id))
            .map(|(_, name, _)| name)
            .collect();
        match names.is_empty() {
            true => printed,
            false => syn::parse_quote!({ #(let #names = #names.tested();)* #printed }),
        }
    }

    /// Prints the flat index of a word, by its indices from a dimension on; zero without any.
    pub(super) fn flat(
        &self,
        id: Id,
        dimension: usize,
        at: &[Expr],
        print: &mut dyn FnMut(&Expr) -> Expr,
    ) -> TokenStream {
        let mut indices = at.iter().map(print);
        let Some(first) = indices.next() else {
            return quote!(0usize);
        };
        let inner = (dimension + 1..).zip(indices);
        inner.fold(quote!(#first), |before, (depth, index)| {
            let length = self.length(id, depth, false);
            quote!((#before) * (#length) + (#index))
        })
    }
}
