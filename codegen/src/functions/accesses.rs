//! Access of a run's inner loop to the words of each array: as slices, as rows, in variables.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use superstep_compiler::pattern::Step;

use super::{Access, Function, Parts, field, name};

impl Function<'_> {
    /// Finds a component of an array that is only read.
    pub(super) fn read_only(&self, c: usize, parts: &mut Parts) {
        let name = name(c);
        if self.is_packed(c) {
            parts.access[c] = Access::Slice(name);
            return;
        }
        let words = self.words_read(c, &self.slot(c));
        parts.access[c] = match self.signature.steps[c] {
            Step::Zero => Access::Variable(name.clone()),
            Step::One => Access::Slice(name.clone()),
            Step::Row | Step::Behind(_) | Step::Near(..) | Step::Any => return,
        };
        parts.before.push(quote! { let #name = #words; });
    }

    /// Prints the words of component `c`, whose array is only read, from `slot` on.
    pub(super) fn words_read(&self, c: usize, slot: &TokenStream) -> TokenStream {
        let field = self.field(c);
        match (self.signature.steps[c], self.is_input(c)) {
            (Step::One, true) => quote! { &memory.#field[#slot..][..run.count()] },
            (Step::One, false) => quote! { memory.#field.slice(#slot, run.count()) },
            _ => quote! { memory.#field[#slot] },
        }
    }

    /// Keeps a component behind a written one in a variable, which takes over the value after each
    /// iteration.
    pub(super) fn behind(&self, c: usize, parts: &mut Parts) {
        let (name, field, slot) = (name(c), self.field(c), self.slot(c));
        parts
            .before
            .push(quote! { let mut #name = memory.#field[#slot]; });
        parts.access[c] = Access::Variable(name);
    }

    /// Finds the components of an array that is written as slices. Those written must alias neither
    /// each other nor those that are only read.
    pub(super) fn window(&self, array: u16, roots: &[usize], parts: &mut Parts) {
        let field = field(self.kernel, array);
        let (written, read): (Vec<usize>, Vec<usize>) =
            roots.iter().partition(|&&c| self.is_written(c));
        let names = written.iter().map(|&c| name(c));
        let ranges = written.iter().map(|&c| {
            let (slot, words) = (self.slot(c), self.words(c));
            quote! { (#slot, #words) }
        });
        let around = self.around(&field, &read);
        parts.before.push(self.unless_overlapping(
            quote! { ([#(#names),*], #around) },
            quote! { memory.#field.window([#(#ranges),*]) },
        ));
        for &c in &written {
            let name = name(c);
            self.target(c, quote! { #name[0] }, parts);
        }
        self.read_around(&around, &read, &written, parts);
    }

    /// Keeps the components of an array whose written words stay the same in variables. They must
    /// be apart from each other and from what is read, which is found word by word.
    pub(super) fn fixed(&self, array: u16, roots: &[usize], parts: &mut Parts) {
        let field = field(self.kernel, array);
        let (written, read): (Vec<usize>, Vec<usize>) =
            roots.iter().partition(|&&c| self.is_written(c));
        for (number, &c) in written.iter().enumerate() {
            let word = self.start(c);
            let others = written[..number].iter().chain(&read);
            let meets = others.map(|&other| {
                let (start, step) = (self.start(other), self.step(other));
                quote! { Run::meets(run.count(), #start, #step, #word) }
            });
            let meets: Vec<TokenStream> = meets.collect();
            if !meets.is_empty() {
                parts
                    .before
                    .push(quote! { if #(#meets)||* { return None; } });
            }
        }
        read.iter().for_each(|&c| self.read_only(c, parts));
        for &c in &written {
            let slot = self.slot(c);
            self.target(c, quote! { memory.#field[#slot] }, parts);
        }
    }

    /// Names what is around the words of an array that are written, if something is read there.
    pub(super) fn around(&self, field: &Ident, read: &[usize]) -> Ident {
        if read.is_empty() {
            format_ident!("_")
        } else {
            format_ident!("around_{}", field)
        }
    }

    /// Finds the components of an array that are only read, where others are written.
    fn read_around(&self, around: &Ident, read: &[usize], written: &[usize], parts: &mut Parts) {
        for group in self.groups(read, written) {
            let names: Vec<Ident> = group.iter().map(|&c| name(c)).collect();
            let slots = group.iter().map(|&c| self.slot(c));
            let found = if self.signature.steps[group[0]] == Step::Zero {
                quote! { #around.words([#(#slots),*]) }
            } else {
                quote! { #around.slices([#(#slots),*], run.count()) }
            };
            parts
                .before
                .push(self.unless_overlapping(quote! { [#(#names),*] }, found));
            for (&c, name) in group.iter().zip(names) {
                parts.access[c] = match self.signature.steps[c] {
                    Step::Zero => Access::Variable(name),
                    _ => Access::Slice(name),
                };
            }
        }
    }

    /// Finds the components of an array of which some are near written ones: each of these has a
    /// row with what is near it. Rows must be disjoint from each other, and what they write from
    /// what else is read.
    pub(super) fn near(&self, array: u16, roots: &[usize], parts: &mut Parts) {
        let field = field(self.kernel, array);
        let row_of = |c: usize| self.signature.near(c).unwrap_or((c as u16, 0));
        let (written, read): (Vec<usize>, Vec<usize>) = roots
            .iter()
            .partition(|&&c| self.is_written(c) || self.signature.near(c).is_some());
        let mut rows: Vec<usize> = Vec::new();
        let mut ranges = Vec::new();
        for &leader in &written {
            let own = written.iter().map(|&c| (row_of(c), c));
            let own = own.filter(|((row, _), _)| usize::from(*row) == leader);
            let mut own: Vec<(i16, usize)> = own.map(|((_, distance), c)| (distance, c)).collect();
            own.sort_unstable();
            let Some(&(first, _)) = own.first() else {
                continue;
            };
            ranges.push(self.row(leader, &own));
            rows.push(leader);
            for &(distance, c) in &own {
                let offset = usize::try_from(distance - first).unwrap_or(0);
                parts.access[c] = Access::Near(name(leader), offset);
            }
        }
        let names = rows.iter().map(|&leader| name(leader));
        let around = self.around(&field, &read);
        parts.before.push(self.unless_overlapping(
            quote! { ([#(mut #names),*], #around) },
            quote! { memory.#field.rows([#(#ranges),*]) },
        ));
        for &c in written
            .iter()
            .filter(|&&c| self.signature.steps[c] == Step::Zero)
        {
            let name = name(c);
            self.target(c, quote! { #name[0] }, parts);
        }
        self.read_around(&around, &read, &written, parts);
    }

    /// Prints start and words of the row of a leader, and the first offset and number of those that
    /// are written. `own`: its components by their distances from the leader.
    fn row(&self, leader: usize, own: &[(i16, usize)]) -> TokenStream {
        let words = self.words(leader);
        let words_to = |distance: i16| match distance {
            0 => quote! { #words },
            more => {
                let more = Literal::i16_unsuffixed(more);
                quote! { #words + #more }
            }
        };
        let written = own.iter().filter(|(_, c)| self.is_written(*c));
        let written: Vec<i16> = written.map(|(distance, _)| *distance).collect();
        let (first, last) = (own[0], own[own.len() - 1]);
        let [from, to] = [written.first(), written.last()].map(|it| it.map_or(first.0, |it| *it));
        let (slot, span) = (self.slot(first.1), words_to(last.0 - first.0));
        let before = Literal::i16_unsuffixed(from - first.0);
        let written = words_to(to - from);
        quote! { (#slot, #span, #before, #written) }
    }

    /// Groups the components of `read` that advance alike and, in the runs of this signature, stand
    /// at fixed distances. What is written lies between them seldom, unless it stands at a fixed
    /// distance, too. In runs that other functions hand over they may stand anywhere.
    fn groups(&self, read: &[usize], written: &[usize]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let base = |c: usize| self.signature.components[c].base;
        for &c in read {
            let is_like = |group: &&mut Vec<usize>| {
                self.signature.steps[group[0]] == self.signature.steps[c]
                    && base(group[0]) == base(c)
            };
            let alone = self.signature.steps[c] != Step::Zero
                && written.iter().any(|&d| base(d) == base(c));
            match groups.iter_mut().find(is_like).filter(|_| !alone) {
                Some(group) => group.push(c),
                None => groups.push(vec![c]),
            }
        }
        groups
    }

    /// Finds the components of an array whose rows are written.
    pub(super) fn rows(&self, array: u16, roots: &[usize], parts: &mut Parts) {
        let field = field(self.kernel, array);
        let (rows, row) = (format_ident!("rows_{field}"), format_ident!("row_{field}"));
        let is_word = |c: &&usize| self.signature.steps[**c] == Step::Zero;
        let inside: Vec<usize> = roots.iter().filter(|c| !is_word(c)).copied().collect();
        let starts = inside.iter().map(|&c| self.start(c));
        let step = self.step(inside[0]);
        parts
            .before
            .push(quote! { let #rows = Rows::new(run.count(), &[#(#starts),*], #step); });
        for &c in roots.iter().filter(is_word) {
            let (name, slot) = (name(c), self.slot(c));
            parts.before.push(self.unless_overlapping(
                quote! { #name },
                quote! { #rows.outside(&memory.#field, #slot) },
            ));
            parts.access[c] = Access::Variable(name);
        }
        for c in inside {
            let (name, slot) = (name(c), self.slot(c));
            parts
                .variables
                .extend(quote! { let #name = #rows.offset(#slot); });
            parts.access[c] = Access::Row(row.clone(), name);
        }
        parts
            .each
            .extend(quote! { let mut #row = #rows.row(&mut memory.#field, x); });
    }

    /// Finds a written component, in a slice of its own: a word in `place` that stays the same is
    /// kept in a variable.
    fn target(&self, c: usize, place: TokenStream, parts: &mut Parts) {
        let name = name(c);
        if self.signature.steps[c] == Step::One {
            parts.access[c] = Access::Slice(name);
        } else {
            let value = format_ident!("value_{}", c);
            parts.variables.extend(quote! { let mut #value = #place; });
            parts.after.extend(quote! { #place = #value; });
            parts.access[c] = Access::Variable(value);
        }
    }
}
