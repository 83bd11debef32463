//! The function of a block: a few lines at a time, side by side.
//!
//! What all lines read is loaded once for all of them, and where each iteration waits for the one before, the lines wait at the same time.
//!
//! Rows of a matrix may stand a multiple of a page apart. Then the words of all rows in one column compete for a set of the core's first
//! cache, which has [`WAYS`] places: a body of more rows takes its statements in two passes.

use std::ops::Range;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{Function, field, vectorised};
use crate::bodies::{LINES, Step};

/// Lines of a set of the first cache of a core, on most processors.
const WAYS: usize = 8;

impl Function<'_> {
    /// The loop over the lines of a block, `alone` being the function of one line.
    pub(super) fn block(&self, alone: &Ident) -> TokenStream {
        let statements = self.signature.statements.len();
        let all = 0..statements;
        let whole = self.lines(alone, std::slice::from_ref(&all));
        let Some(compete) = self.compete() else {
            return whole;
        };
        // A function of its own, so that the other one keeps its registers.
        let halves = self.lines(alone, &[0..statements / 2, statements / 2..statements]);
        let halves = vectorised(&halves);
        quote! {
            #[inline(never)]
            fn in_two_passes(memory: &mut View<'_>, run: Run<'_>) { #halves }
            if #compete {
                return in_two_passes(memory, run);
            }
            #whole
        }
    }

    /// The loop over the lines, a few side by side, with these statements in each pass.
    fn lines(&self, alone: &Ident, passes: &[Range<usize>]) -> TokenStream {
        let lines = Literal::usize_unsuffixed(LINES);
        let values = self.values();
        let side_by_side = self.side_by_side(passes);
        quote! {
            for first in (0..run.lines()).step_by(#lines) {
                let mut side_by_side = || {
                    if run.lines() - first < #lines {
                        return None;
                    }
                    #side_by_side
                    Some(())
                };
                if side_by_side().is_none() {
                    run.each_line::<#values>(first, #lines, |run| #alone(memory, run));
                }
            }
        }
    }

    /// Whether the slices of a run compete; none if they are too few, or cannot be taken in two passes.
    fn compete(&self) -> Option<TokenStream> {
        let roots = (0..self.roles.len()).filter(|&c| self.root(c) == c);
        let (written, read): (Vec<usize>, Vec<usize>) = roots
            .filter(|&c| self.array(c).is_some())
            .partition(|&c| self.is_written(c));
        // Each pass loads and stores what it writes.
        let [update] = written[..] else { return None };
        let is_slice = |c: &usize| self.signature.steps[*c] == Step::One;
        let slices: Vec<usize> = read.into_iter().filter(is_slice).collect();
        let streams = slices
            .iter()
            .chain([&update])
            .map(|&c| self.lines_of(c).len());
        if !is_slice(&update)
            || self.signature.statements.len() < 2
            || streams.sum::<usize>() <= WAYS
        {
            return None;
        }
        let [a, b, ..] = slices[..] else { return None };
        let array = self.array(a).filter(|_| self.array(a) == self.array(b))?;
        let (field, base) = (field(self.kernel, array), self.base(a));
        let [a, b] = [a, b].map(Literal::usize_unsuffixed);
        Some(quote! {
            run.compete(#base, #a, #b, size_of_val(&memory.#field[run.slot_in(0, #base, #a)]))
        })
    }

    /// Values that a run gives.
    fn values(&self) -> Literal {
        let values = self
            .signature
            .components
            .iter()
            .map(|component| component.values());
        Literal::usize_unsuffixed(values.max().unwrap_or(0))
    }

    /// Finds the words of all lines, none if what one writes another touches, and goes through them.
    fn side_by_side(&self, passes: &[Range<usize>]) -> TokenStream {
        let mut found = Vec::new();
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let mut slices = Vec::new();
        for array in 0..self.kernel.arrays.len() as u16 {
            let is_own = |c: &usize| self.array(*c) == Some(array) && self.root(*c) == *c;
            let (written, read): (Vec<usize>, Vec<usize>) = (0..self.roles.len())
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
        let passes = passes
            .iter()
            .map(|statements| self.pass(statements.clone(), &slices));
        quote! {
            #(#found)*
            #before
            #(#passes)*
            #after
        }
    }

    /// All iterations of some statements, with those slices that they use.
    fn pass(&self, statements: Range<usize>, slices: &[(usize, usize)]) -> TokenStream {
        let starts = self.starts();
        let used = starts[statements.start]..starts[statements.end];
        let is_used = |c: usize| used.clone().any(|of| self.root(of) == c);
        let (mut names, mut kinds) = (Vec::new(), Vec::new());
        for &(c, line) in slices.iter().filter(|(c, _)| is_used(*c)) {
            names.push(self.name_in(c, line));
            kinds.push(if self.is_written(c) {
                quote! { &mut }
            } else {
                quote! { & }
            });
        }
        let iteration = self.iteration_of_all(statements);
        quote! {
            let mut run_on = |#(#names: #kinds [_]),*| {
                #(let #names = #kinds #names[..run.count()];)*
                for x in 0..run.count() { #iteration }
            };
            run_on(#(#names),*);
        }
    }

    /// The first component of each statement, and the number of all.
    fn starts(&self) -> Vec<usize> {
        let mut starts = vec![0];
        for &number in &self.signature.statements {
            let operands = self.kernel.statement(number).operands.len();
            starts.push(starts[starts.len() - 1] + 1 + operands);
        }
        starts
    }

    /// The lines for which component `c` is to be found: one, if it is the same in all.
    fn lines_of(&self, c: usize) -> Range<usize> {
        let still = self.signature.block.as_ref().is_some_and(|still| still[c]);
        0..if still { 1 } else { LINES }
    }

    /// What component `c` is called in a line.
    fn name_in(&self, c: usize, line: usize) -> Ident {
        match self.lines_of(c).len() {
            1 => format_ident!("w{}", c),
            _ => format_ident!("w{}_{}", c, line),
        }
    }

    /// Component `c` of a line in the first iteration.
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
        let around = if read.is_empty() {
            format_ident!("_")
        } else {
            format_ident!("around_{}", field)
        };
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

    /// Names those components of a group, all slices or all words, that are to be found for that line beside what is written.
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

    /// One iteration of every line: each statement in all of them before the next one, so that what they load together is loaded once.
    fn iteration_of_all(&self, statements: Range<usize>) -> TokenStream {
        let mut tokens = TokenStream::new();
        let is_kept =
            |root: usize| self.is_written(root) && self.signature.steps[root] == Step::One;
        let kept: Vec<usize> = (0..self.roles.len())
            .filter(|&c| self.root(c) == c && is_kept(c))
            .collect();
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
