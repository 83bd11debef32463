//! Run functions: one for each signature. The inner loop of each is one that the compiler can
//! vectorise where the original would.
//!
//! Some signatures differ only in which values of a run their components follow from. They share
//! one function, and the functions of the others hand over to it.

mod accesses;
mod block;
mod general;
pub(super) mod handing_over;
mod pieces;

use std::cell::Cell;
use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use superstep_compiler::pattern::{Signature, Step, Use, View, uses};
use superstep_plan::Stride;
use superstep_tracer::Kernel;

use handing_over::handed_over;

/// Run functions of one kernel.
pub(super) struct Functions<'a> {
    kernel: &'a Kernel,
    /// Number of each signature's function, and whether it is called.
    numbers: BTreeMap<&'a Signature, (usize, Cell<bool>)>,
}

impl<'a> Functions<'a> {
    /// Makes functions for `signatures`.
    pub(super) fn new(kernel: &'a Kernel, signatures: &'a [Signature]) -> Self {
        let number = |(number, signature)| (signature, (number, Cell::new(false)));
        Self {
            kernel,
            numbers: signatures.iter().enumerate().map(number).collect(),
        }
    }

    /// Returns the name of the function of a signature, which is called from now on.
    pub(super) fn call(&self, signature: &Signature) -> Ident {
        let (number, is_called) = &self.numbers[signature];
        is_called.set(true);
        format_ident!("run_{number}")
    }

    /// Prints all functions that are called, so far or by each other.
    pub(super) fn print(&self) -> Vec<TokenStream> {
        let rank = |signature: &Signature| match signature.side_by_side {
            Some(_) => 0,
            None if signature.is_general() => 4 - usize::from(!handed_over(signature).is_empty()),
            None => usize::from(self.like(signature) == signature) + 1,
        };
        let called = |of: usize| {
            let all = self.numbers.iter();
            all.filter(move |(signature, (_, is_called))| rank(signature) == of && is_called.get())
                .map(|(signature, (number, _))| (*number, self.function(signature)))
        };
        // Functions of blocks call those of lines, these others that are like them, special
        // functions general ones, and these those of single statements.
        let mut functions: Vec<(usize, TokenStream)> = (0..5).flat_map(called).collect();
        functions.sort_by_key(|(number, _)| *number);
        functions
            .into_iter()
            .map(|(_, function)| function)
            .collect()
    }

    /// Returns the signature whose loops serve for this one, too. Those that serve differ only in
    /// which values of a run the components follow from. It is the one of these with the most
    /// values, to which most others can hand over whole blocks.
    fn like(&self, signature: &'a Signature) -> &'a Signature {
        let serves = |other: &&Signature| other.serves(signature);
        let like = self.numbers.keys().copied().filter(serves);
        like.max_by_key(|other| other.sources().len())
            .unwrap_or(signature)
    }

    /// Prints one iteration of a signature's statements, with its components as slots and as
    /// values.
    pub(super) fn once(
        &self,
        signature: &Signature,
        slots: &[TokenStream],
        values: &[TokenStream],
    ) -> TokenStream {
        let function = Function::new(self.kernel, signature);
        let place = |c: usize| {
            let (field, slot) = (function.field(c), &slots[c]);
            quote! { memory.#field[#slot] }
        };
        function.iteration(&place, &|c| values[c].clone())
    }

    fn function(&self, signature: &'a Signature) -> TokenStream {
        let function = Function::new(self.kernel, signature);
        let name = self.call(signature);
        let doc = function.doc();
        let like = self.like(signature);
        let body = if like != signature {
            function.handed_over(like, &self.call(like))
        } else if signature.is_loose {
            function.entries()
        } else if signature.side_by_side.is_some() {
            vectorised(&function.block(&self.call(&signature.of_lines())))
        } else if signature.is_general() {
            function.word_by_word(&|signature| self.call(signature))
        } else {
            let general = Signature::general(self.kernel, &signature.statements);
            let line = function.slices(&|| self.call(&general));
            let room = function.room();
            vectorised(&quote! {
                #room
                run.each(#[inline(always)] |run| { #line });
            })
        };
        let known = (!signature.is_loose).then(|| {
            let values = Literal::usize_unsuffixed(signature.sources().len());
            let components = Literal::usize_unsuffixed(function.uses.len());
            quote! { let run = run.known::<#values, #components>(); }
        });
        quote! {
            #(#[doc = #doc])*
            fn #name(memory: &mut View<'_>, run: Run<'_>) { #known #body }
        }
    }
}

/// Compiles the loops of a function over slices for the vectors that their runs are worth.
fn vectorised(body: &TokenStream) -> TokenStream {
    quote! {
        vectorised(
            run.iterations(),
            #[inline(always)]
            || { #body },
        );
    }
}

/// Prints the loop over all iterations `x`, its vectors
/// [aligned](superstep_runtime::words::vectors::unaligned) with what is `written`.
fn by_vectors(written: &Ident, iteration: &TokenStream) -> TokenStream {
    // A copy of its own for the few words before the vectors keeps the loop over vectors as it
    // would be without.
    quote! {
        let first = unaligned(#written);
        for x in 0..first { #iteration }
        for x in first..run.count() { #iteration }
    }
}

/// Prints a closure that is compiled for the same vectors as what it stands in.
fn inlined(closure: &TokenStream) -> TokenStream {
    quote! { { #[inline(always)] #closure } }
}

struct Function<'a> {
    kernel: &'a Kernel,
    signature: &'a Signature,
    uses: Vec<Use>,
}

/// Access of an inner loop to a component.
#[derive(Clone)]
enum Access {
    /// A word of a slice with a word for each iteration.
    Slice(Ident),
    /// A variable.
    Variable(Ident),
    /// A word of the row of the iteration, at an offset.
    Row(Ident, Ident),
    /// A word of a row with one for each iteration and some more, so far behind the first.
    Near(Ident, usize),
    /// A word found by its slot.
    Slot,
}

impl<'a> Function<'a> {
    fn new(kernel: &'a Kernel, signature: &'a Signature) -> Self {
        Self {
            kernel,
            signature,
            uses: uses(kernel, &signature.statements),
        }
    }
}

impl Function<'_> {
    fn doc(&self) -> Vec<String> {
        let statements = self.signature.statements.iter();
        let mut lines: Vec<String> = statements
            .map(|&s| format!(" `{}`", self.kernel.statement(s).text))
            .collect();
        if !self.signature.is_general() {
            let step = |step: &Step| match step {
                Step::Zero => "0",
                Step::One => "1",
                Step::Row => "row",
                Step::Behind(_) => "behind",
                Step::Near(..) => "near",
                Step::Any => "any",
            };
            let steps: Vec<&str> = self.signature.steps.iter().map(step).collect();
            lines.push(String::new());
            lines.push(format!(" Steps: {}.", steps.join(", ")));
        }
        lines
    }

    /// Prints loose runs, one iteration each.
    fn entries(&self) -> TokenStream {
        let component = |c: usize| (self.base(c), Literal::usize_unsuffixed(c));
        let place = |c: usize| {
            let (field, (base, c)) = (self.field(c), component(c));
            quote! { memory.#field[entry.slot(#base, #c)] }
        };
        let control = |c: usize| {
            let (base, c) = component(c);
            quote! { entry.start(#base, #c) }
        };
        let iteration = self.iteration(&place, &control);
        let bases = self
            .signature
            .components
            .iter()
            .map(|component| component.base);
        let values = Literal::u16_unsuffixed(bases.max().map_or(0, |base| base + 1));
        let components = Literal::usize_unsuffixed(self.uses.len());
        quote! { for entry in run.entries::<#values, #components>() { #iteration } }
    }

    /// Prints the loop over slices, and the general function where the slices would overlap.
    fn slices(&self, general: &dyn Fn() -> Ident) -> TokenStream {
        let mut parts = Parts {
            access: vec![Access::Slot; self.uses.len()],
            ..Parts::default()
        };
        let arrays: Vec<u16> = (0..self.kernel.arrays.len() as u16).collect();
        for array in arrays {
            let own = self.roots().filter(|&c| self.array(c) == Some(array));
            let (behind, roots): (Vec<usize>, Vec<usize>) =
                own.partition(|&c| self.leader(c).is_some());
            behind.iter().for_each(|&c| self.behind(c, &mut parts));
            let is_near = |c: &usize| self.signature.near(*c).is_some();
            match self.signature.view(&self.uses, array) {
                _ if roots.iter().any(is_near) => self.near(array, &roots, &mut parts),
                View::ReadOnly => roots
                    .iter()
                    .for_each(|&root| self.read_only(root, &mut parts)),
                View::Rows => self.rows(array, &roots, &mut parts),
                View::Fixed => self.fixed(array, &roots, &mut parts),
                View::Slices | View::Words => self.window(array, &roots, &mut parts),
            }
        }
        for c in 0..self.uses.len() {
            parts.access[c] = parts.access[self.root(c)].clone();
        }
        let iterations = self.apart(&parts.access, self.repeated(&parts.access, &parts.each));
        let Parts {
            before,
            variables,
            after,
            ..
        } = parts;
        let on_slices = quote! { #(#before)* #variables #iterations #after };
        if !self.may_overlap() {
            return on_slices;
        }
        let (general, run) = (general(), self.in_full());
        let on_slices = inlined(&quote! { || { #on_slices Some(()) } });
        quote! {
            let mut on_slices = #on_slices;
            if on_slices().is_none() {
                #general(memory, #run);
            }
        }
    }

    fn may_overlap(&self) -> bool {
        self.signature.may_overlap(&self.uses)
    }

    /// Names what is there unless slices overlap. Nothing is known to overlap where every word of
    /// an array is written.
    fn unless_overlapping(&self, pattern: TokenStream, found: TokenStream) -> TokenStream {
        if self.may_overlap() {
            quote! { let #pattern = #found?; }
        } else {
            quote! { let Some(#pattern) = #found else { unreachable!("one range overlaps no other") }; }
        }
    }

    /// Prints the run as one of which nothing is known.
    fn in_full(&self) -> TokenStream {
        let bases = (0..self.uses.len()).map(|c| self.base(c));
        let steps = (0..self.uses.len()).map(|c| self.step(c));
        let components = Literal::usize_unsuffixed(self.uses.len());
        quote! {
            Run::new(run.count(), run.in_full(&[#(#bases),*], [#(#steps),*]).as_flattened(), &[0; #components])
        }
    }

    /// Prints a call of the function of another signature of the same statements. It is one for the
    /// whole block, if two things hold. Components that follow from one value there do so here, and
    /// stay as far from each other in all lines.
    fn handed_over(&self, other: &Signature, function: &Ident) -> TokenStream {
        let (components, sources) = (self.uses.len(), other.sources());
        let values = sources.iter().map(|&source| {
            if source < components {
                self.start(source)
            } else {
                self.step(source - components)
            }
        });
        let first = |c: usize| sources[usize::from(other.components[c].base)];
        let offsets = (0..components).map(|c| {
            if first(c) == c {
                quote! { 0 }
            } else {
                let (start, first) = (self.start(c), self.start(first(c)));
                quote! { #start.wrapping_sub(#first) }
            }
        });
        let (values, offsets) = (quote! { #(#values),* }, quote! { #(#offsets),* });
        let base = |c: usize| self.signature.components[c].base;
        if (0..components).any(|c| base(c) != base(first(c))) {
            return quote! {
                run.each(|run| #function(memory, Run::new(run.count(), &[#values], &[#offsets])));
            };
        }
        let advances = sources.iter().map(|&source| {
            let value = match source.checked_sub(components) {
                None => Some(self.signature.components[source].base),
                Some(c) => match self.signature.components[c].stride {
                    Stride::Always(_) => None,
                    Stride::Given(value) => Some(value),
                },
            };
            let value = value.map(Literal::u16_unsuffixed);
            value.map_or(quote! { 0 }, |value| quote! { run.advance_of(#value) })
        });
        quote! {
            #function(memory, Run::block(run.count(), &[#values], &[#offsets], run.lines(), &[#(#advances),*]));
        }
    }

    /// Prints component `c` in the first iteration.
    fn start(&self, c: usize) -> TokenStream {
        let (base, c) = (self.base(c), Literal::usize_unsuffixed(c));
        quote! { run.start(#base, #c) }
    }

    /// Prints component `c` in the first iteration, as a slot.
    fn slot(&self, c: usize) -> TokenStream {
        let (base, c) = (self.base(c), Literal::usize_unsuffixed(c));
        quote! { run.slot(#base, #c) }
    }

    fn base(&self, c: usize) -> Literal {
        Literal::u16_unsuffixed(self.signature.components[c].base)
    }

    /// Prints the step of component `c` from one iteration to the next.
    fn step(&self, c: usize) -> TokenStream {
        match self.signature.components[c].stride {
            Stride::Always(step) => {
                let step = Literal::i64_unsuffixed(step);
                quote! { #step }
            }
            Stride::Given(value) => {
                let value = Literal::u16_unsuffixed(value);
                quote! { run.given(#value) }
            }
        }
    }

    /// Prints the loop over all iterations.
    fn repeated(&self, access: &[Access], each: &TokenStream) -> TokenStream {
        let statements = self.statements(access);
        let varies = |c: usize| !matches!(access[c], Access::Variable(_));
        let variable = if (0..self.uses.len()).any(varies) {
            quote! { x }
        } else {
            quote! { _ }
        };
        let by_number = self.roots().filter(|&c| matches!(access[c], Access::Slot));
        let found = by_number.map(|c| {
            let (start, step) = (self.start(c), self.step(c));
            let (first, advance) = numbers(c);
            quote! { let (#first, #advance) = (#start, #step); }
        });
        let written = (0..self.uses.len()).find_map(|c| match &access[c] {
            Access::Slice(name) if self.is_written(c) => Some(name),
            _ => None,
        });
        match written.filter(|_| self.signature.is_aligned(&self.uses)) {
            Some(written) => {
                let iterations = by_vectors(written, &quote! { #each #statements });
                quote! { #(#found)* #iterations }
            }
            None => {
                let count = self.count();
                quote! { #(#found)* for #variable in 0..#count { #each #statements } }
            }
        }
    }

    /// Prints one iteration, its words reached through `access`.
    ///
    /// Words that are written and looked at again are kept in variables meanwhile.
    fn statements(&self, access: &[Access]) -> TokenStream {
        let control = |c: usize| {
            let ((start, step), x) = (numbers(c), self.number());
            quote! { Run::advance(#start, #step, #x) }
        };
        let is_kept = |root: usize| {
            let is_place = matches!(
                access[root],
                Access::Slice(_) | Access::Row(..) | Access::Near(..)
            );
            is_place
                && self.is_written(root)
                && (self.count_uses(root) > 2 || self.followers(root).next().is_some())
        };
        let kept: Vec<usize> = self.roots().filter(|&c| is_kept(c)).collect();
        let variable = |c: usize| format_ident!("value_{}", c);
        let variables = kept.iter().map(|&c| variable(c));
        let places: Vec<TokenStream> = kept.iter().map(|&c| self.place(c, &access[c])).collect();
        let stored = kept.iter().map(|&c| variable(c));
        let place = |c: usize| {
            let root = self.root(c);
            if kept.contains(&root) {
                let variable = variable(root);
                quote! { #variable }
            } else {
                self.place(c, &access[c])
            }
        };
        let iteration = self.iteration(&place, &control);
        let followers = kept.iter().flat_map(|&root| {
            let taken_over = place(root);
            self.followers(root).map(move |c| {
                let name = name(c);
                quote! { #name = #taken_over; }
            })
        });
        quote! {
            #(let mut #variables = #places;)*
            #iteration
            #(#followers)*
            #(#places = #stored;)*
        }
    }

    /// Returns the component that `c` is behind.
    fn leader(&self, c: usize) -> Option<usize> {
        match self.signature.steps[c] {
            Step::Behind(leader) => Some(usize::from(leader)),
            _ => None,
        }
    }

    /// Iterates over the components that are behind a written one.
    fn followers(&self, root: usize) -> impl Iterator<Item = usize> {
        self.roots().filter(move |&c| self.leader(c) == Some(root))
    }

    /// Counts the components that are that slot.
    fn count_uses(&self, root: usize) -> usize {
        (0..self.uses.len())
            .filter(|&c| self.root(c) == root)
            .count()
    }

    /// Prints one iteration, its words and control values as given.
    fn iteration(
        &self,
        place: &dyn Fn(usize) -> TokenStream,
        control: &dyn Fn(usize) -> TokenStream,
    ) -> TokenStream {
        let mut first = 0;
        let assignment = |&number: &u16| {
            let assignment = self.assignment(number, first, place, control);
            let statement = self.kernel.statement(number);
            first += 1 + statement.operands.len() + statement.control.len();
            assignment
        };
        self.signature.statements.iter().map(assignment).collect()
    }

    /// Prints the statement of that number, whose components begin with `first`.
    fn assignment(
        &self,
        number: u16,
        first: usize,
        place: &dyn Fn(usize) -> TokenStream,
        control: &dyn Fn(usize) -> TokenStream,
    ) -> TokenStream {
        let statement = self.kernel.statement(number);
        let function = format_ident!("s{}", number);
        let reads = first + 1..first + 1 + statement.operands.len();
        let controls = (reads.end..).zip(&statement.control);
        let mut arguments: Vec<TokenStream> = reads.map(place).collect();
        arguments.extend(controls.map(|(c, kind)| control_value(control(c), kind)));
        let target = place(first);
        quote! { #target = statements::#function(#(#arguments),*); }
    }

    fn place(&self, c: usize, access: &Access) -> TokenStream {
        match access {
            Access::Slice(name) => quote! { #name[x] },
            Access::Variable(name) => quote! { #name },
            Access::Row(row, offset) => quote! { #row[#offset] },
            Access::Near(row, 0) => {
                let x = self.number();
                quote! { #row[#x] }
            }
            Access::Near(row, offset) => {
                let (x, offset) = (self.number(), Literal::usize_unsuffixed(*offset));
                quote! { #row[#x + #offset] }
            }
            Access::Slot => {
                let (field, (start, step)) = (self.field(c), numbers(self.root(c)));
                quote! { memory.#field[Run::advance(#start, #step, x) as usize] }
            }
        }
    }

    /// Prints the number of words that a component touches in all.
    fn words(&self, c: usize) -> TokenStream {
        if self.signature.steps[c] == Step::Zero {
            quote! { 1 }
        } else {
            quote! { run.count() }
        }
    }

    fn root(&self, c: usize) -> usize {
        usize::from(self.signature.same[c])
    }

    /// Returns the components that are roots.
    fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.uses.len()).filter(|&c| self.root(c) == c)
    }

    /// Prints the kind of reference by which a root is used.
    fn reference(&self, root: usize) -> TokenStream {
        match self.is_written(root) {
            true => quote! { &mut },
            false => quote! { & },
        }
    }

    fn is_written(&self, root: usize) -> bool {
        let writes = |c: usize| matches!(self.uses[c], Use::Write(_)) && self.root(c) == root;
        (0..self.uses.len()).any(writes)
    }

    fn array(&self, c: usize) -> Option<u16> {
        match self.uses[c] {
            Use::Write(array) | Use::Read(array) => Some(array),
            Use::Control => None,
        }
    }

    /// Returns whether component `c` is a word of an argument that the kernel only reads, which
    /// memory has as a slice.
    fn is_input(&self, c: usize) -> bool {
        let role = |array| self.kernel.array(array).role;
        self.array(c).map(role) == Some(superstep_tracer::Role::Input)
    }

    fn field(&self, c: usize) -> Ident {
        let array = self.array(c).expect("only words of arrays have a field");
        field(self.kernel, array)
    }
}

/// Parts of a function over slices.
#[derive(Default)]
struct Parts {
    access: Vec<Access>,
    /// Slices and words, and the tests for overlap.
    before: Vec<TokenStream>,
    /// Code with which each iteration begins.
    each: TokenStream,
    /// Words kept in variables: loaded before the loop and stored after it.
    variables: TokenStream,
    after: TokenStream,
}

/// Names of the start and of the step of a component.
fn numbers(c: usize) -> (Ident, Ident) {
    (format_ident!("start_{}", c), format_ident!("step_{}", c))
}

fn name(c: usize) -> Ident {
    format_ident!("w{}", c)
}

fn field(kernel: &Kernel, array: u16) -> Ident {
    let name = &kernel.array(array).name;
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// Prints a control value, which is an `i64`, as the type that the statement reads.
fn control_value(value: TokenStream, kind: &str) -> TokenStream {
    if kind == "i64" {
        return value;
    }
    // An operator binds less than a cast.
    let is_simple = !value
        .clone()
        .into_iter()
        .any(|token| matches!(token, TokenTree::Punct(p) if p.as_char() != '.'));
    let value = if is_simple {
        value
    } else {
        quote! { (#value) }
    };
    if kind == "bool" {
        return quote! { #value != 0 };
    }
    // What is no type makes a file that does not parse, which `print` says.
    let kind: TokenStream = kind.parse().unwrap_or_default();
    quote! { #value as #kind }
}
