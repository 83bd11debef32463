//! Function of a block (a loop over runs of equal length, its lines), by unroll and jam: a few
//! lines go side by side.
//!
//! Words that all lines read are loaded once for all. Where an iteration waits for the one before,
//! the lines' latencies overlap. A component is the slot of a word, its root the first equal one.
//!
//! Words that lines read for themselves stay in registers, without spills: long bodies take their
//! statements in several passes, as
//! [`passes`](superstep_compiler::pattern::Signature::passes) says.

use std::ops::Range;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use superstep_compiler::pattern::{LINES, Step};

use super::{Function, by_vectors, field, inlined};

impl Function<'_> {
    /// Prints the loop over the lines of a block, a few side by side; `alone` runs one line.
    pub(super) fn block(&self, alone: &Ident) -> TokenStream {
        let lines = Literal::usize_unsuffixed(LINES);
        let side_by_side = self.side_by_side();
        let side_by_side = inlined(&quote! {
            || {
                if run.lines() - first < #lines {
                    return None;
                }
                #side_by_side
                Some(())
            }
        });
        quote! {
            for first in (0..run.lines()).step_by(#lines) {
                let mut side_by_side = #side_by_side;
                if side_by_side().is_none() {
                    run.each_line(first, #lines, |run| #alone(memory, run));
                }
            }
        }
    }

    /// Prints a group of lines side by side. It gives up (`?`) where a line writes words that
    /// another touches.
    fn side_by_side(&self) -> TokenStream {
        let mut found = Vec::new();
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let mut slices = Vec::new();
        for array in 0..self.kernel.arrays.len() as u16 {
            let is_own = |c: &usize| self.array(*c) == Some(array) && self.root(*c) == *c;
            let (written, read): (Vec<usize>, Vec<usize>) = (0..self.uses.len())
                .filter(is_own)
                .partition(|&c| self.is_written(c));
            found.push(self.find(array, &written, &read));
            for &c in written.iter().chain(&read) {
                for line in self.lines_of(c) {
                    if self.signature.steps[c] == Step::One {
                        slices.push((c, line));
                    } else if self.is_written(c) {
                        let name = self.name_in(c, line);
                        let value = format_ident!("sum_{name}");
                        before.extend(quote! { let mut #value = #name[0]; });
                        after.extend(quote! { #name[0] = #value; });
                    }
                }
            }
        }
        let passes = self.signature.passes(&self.uses);
        let begin = |pass| pass * self.signature.statements.len() / passes;
        let passes = (0..passes).map(|pass| self.pass(begin(pass)..begin(pass + 1), &slices));
        quote! {
            #(#found)*
            #before
            #(#passes)*
            #after
        }
    }

    /// Prints all iterations of some statements, with those slices that they use; vectors are
    /// aligned with what the first line writes.
    fn pass(&self, statements: Range<usize>, slices: &[(usize, usize)]) -> TokenStream {
        let starts = self.starts();
        let used = starts[statements.start]..starts[statements.end];
        let is_used = |c: usize| used.clone().any(|of| self.root(of) == c);
        let (mut names, mut kinds) = (Vec::new(), Vec::new());
        for &(c, line) in slices.iter().filter(|(c, _)| is_used(*c)) {
            names.push(self.name_in(c, line));
            kinds.push(self.reference(c));
        }
        let iteration = self.iteration_of_all(statements);
        let written = slices.iter().find(|(c, _)| self.is_written(*c));
        let repeated = match written.map(|&(c, line)| self.name_in(c, line)) {
            Some(written) => by_vectors(&written, &iteration),
            None => quote! { for x in 0..run.count() { #iteration } },
        };
        let run_on = inlined(&quote! {
            |#(#names: #kinds [_]),*| {
                #(let #names = #kinds #names[..run.count()];)*
                #repeated
            }
        });
        quote! {
            let mut run_on = #run_on;
            run_on(#(#names),*);
        }
    }

    /// Returns the first component of each statement, and the number of all.
    fn starts(&self) -> Vec<usize> {
        let mut starts = vec![0];
        for &number in &self.signature.statements {
            let operands = self.kernel.statement(number).operands.len();
            starts.push(starts[starts.len() - 1] + 1 + operands);
        }
        starts
    }

    /// Returns the lines that need component `c`: the first alone, if it is the same in all.
    fn lines_of(&self, c: usize) -> Range<usize> {
        let is_shared = self
            .signature
            .side_by_side
            .as_ref()
            .is_some_and(|is_shared| is_shared[c]);
        0..if is_shared { 1 } else { LINES }
    }

    /// Names component `c` in a line.
    fn name_in(&self, c: usize, line: usize) -> Ident {
        match self.lines_of(c).len() {
            1 => format_ident!("w{}", c),
            _ => format_ident!("w{}_{}", c, line),
        }
    }

    /// Prints component `c` of a line in the first iteration.
    fn slot_in(&self, c: usize, line: usize) -> TokenStream {
        let (base, c) = (self.base(c), Literal::usize_unsuffixed(c));
        let line = match line {
            0 => quote! { first },
            _ => {
                let line = Literal::usize_unsuffixed(line);
                quote! { first + #line }
            }
        };
        quote! { run.slot_in(#line, #base, #c) }
    }

    /// Names the words of an array in all lines.
    fn find(&self, array: u16, written: &[usize], read: &[usize]) -> TokenStream {
        let all = |c: usize| self.lines_of(c).map(move |line| (c, line));
        if written.is_empty() {
            let found = read.iter().flat_map(|&c| all(c)).map(|(c, line)| {
                let name = self.name_in(c, line);
                let words = self.words_read(c, &self.slot_in(c, line));
                quote! { let #name = #words; }
            });
            return found.collect();
        }
        let field = field(self.kernel, array);
        let around = self.around(&field, read);
        let places = || written.iter().flat_map(|&c| all(c));
        let names = places().map(|(c, line)| self.name_in(c, line));
        let parts = places().map(|(c, line)| {
            let (slot, words) = (self.slot_in(c, line), self.words(c));
            quote! { (#slot, #words) }
        });
        let mut found =
            quote! { let ([#(#names),*], #around) = memory.#field.window([#(#parts),*])?; };
        let (slices, words): (Vec<usize>, Vec<usize>) = read
            .iter()
            .partition(|&&c| self.signature.steps[c] == Step::One);
        for line in 0..LINES {
            for group in [&slices, &words] {
                found.extend(self.find_around(&around, group, line));
            }
        }
        found
    }

    /// Names those components of a group, all slices or all words, that are to be found for that
    /// line beside what is written.
    fn find_around(&self, around: &Ident, group: &[usize], line: usize) -> Option<TokenStream> {
        let group = group.iter().copied();
        let group: Vec<usize> = group
            .filter(|&c| self.lines_of(c).contains(&line))
            .collect();
        let names = group.iter().map(|&c| self.name_in(c, line));
        let slots = group.iter().map(|&c| self.slot_in(c, line));
        let found = match self.signature.steps[*group.first()?] {
            Step::Zero => quote! { words([#(#slots),*]) },
            _ => quote! { slices([#(#slots),*], run.count()) },
        };
        Some(quote! { let [#(#names),*] = #around.#found?; })
    }

    /// Prints one iteration of every line (the jam): each statement in all lines before the next
    /// one, so that common words are loaded once.
    fn iteration_of_all(&self, statements: Range<usize>) -> TokenStream {
        let mut tokens = TokenStream::new();
        let is_kept =
            |root: usize| self.is_written(root) && self.signature.steps[root] == Step::One;
        let kept: Vec<usize> = self.roots().filter(|&c| is_kept(c)).collect();
        let value = |c: usize, line: usize| format_ident!("value_{}_{}", c, line);
        let place = |c: usize, line: usize| {
            let root = self.root(c);
            let name = self.name_in(root, line);
            match (self.signature.steps[root], self.is_written(root)) {
                (Step::One, true) => {
                    let value = value(root, line);
                    quote! { #value }
                }
                (Step::One, false) => quote! { #name[x] },
                (_, true) => {
                    let sum = format_ident!("sum_{name}");
                    quote! { #sum }
                }
                (_, false) => quote! { #name },
            }
        };
        let all = || {
            kept.iter()
                .flat_map(|&c| (0..LINES).map(move |line| (c, line)))
        };
        for (c, line) in all() {
            let (value, name) = (value(c, line), self.name_in(c, line));
            tokens.extend(quote! { let mut #value = #name[x]; });
        }
        let starts = self.starts();
        for at in statements {
            let (number, first) = (self.signature.statements[at], starts[at]);
            for line in 0..LINES {
                tokens.extend(self.assignment(number, first, &|c| place(c, line), &|_| quote! {}));
            }
        }
        for (c, line) in all() {
            let (value, name) = (value(c, line), self.name_in(c, line));
            tokens.extend(quote! { #name[x] = #value; });
        }
        tokens
    }
}
