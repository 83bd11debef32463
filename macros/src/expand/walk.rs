//! Control around grains, and for each loop's grains what they do, as arms of a `match`.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::names::{common_name, hygienic};
use super::printer::{Emitted, Printer};
use super::program::{default, zero};
use crate::grains::{Grains, GrainsOf, Head, Section, writes};
use crate::kernel::Id;
use crate::lower::Node;

/// Prints the control around grains.
pub(super) struct Walk<'e>(pub Printer<'e>);

impl Walk<'_> {
    /// Prints sections. `outer`: the variables of the loops around and control that changes between
    /// these, which name grains with their own values.
    pub(super) fn sections(
        &self,
        sections: &[Section<'_>],
        outer: &mut Vec<TokenStream>,
    ) -> TokenStream {
        let around = outer.len();
        let sections = sections
            .iter()
            .map(|section| self.section(section, outer))
            .collect();
        outer.truncate(around);
        sections
    }

    fn section(&self, section: &Section<'_>, outer: &mut Vec<TokenStream>) -> TokenStream {
        let (space, value) = (hygienic("space"), hygienic("value"));
        match section {
            Section::Let(node) | Section::Check(node) => self.0.node(node, 0),
            Section::Fixed(..) => TokenStream::new(),
            Section::Carry(id, node) => {
                let name = self.name(*id);
                match node {
                    Node::Part { .. } => outer.extend([
                        quote!(#name.bounds()[0] as i64),
                        quote!(#name.bounds()[1] as i64),
                    ]),
                    _ => outer.push(quote!(#name as i64)),
                }
                self.0.node(node, 0)
            }
            Section::Block { label, body } => {
                let body = self.sections(body, outer);
                quote!(#label { #body })
            }
            Section::Enter { label, head, body } => match head {
                Head::For(each) => {
                    let (range, around) = (self.0.expression(&each.range), outer.len());
                    let name = each.variable.map(|id| self.name(id));
                    let shown = name.map_or_else(|| quote!(_), ToTokens::to_token_stream);
                    outer.extend(name.map(|name| quote!(#name as i64)));
                    let body = self.sections(body, outer);
                    outer.truncate(around);
                    quote!(#label for #shown in #range { #body })
                }
                Head::While { condition } => {
                    let condition = self.0.expression(condition);
                    let body = self.sections(body, outer);
                    quote!(#label while #condition { #body })
                }
            },
            Section::Grains(Grains { number, of, .. }) => {
                let enter = quote!(#space.enter(#number, &[#(#outer),*]););
                match of {
                    GrainsOf::Statements(_) => quote!(#enter #space.grain(0);),
                    GrainsOf::Loop(each) => {
                        let range = self.0.expression(&each.range);
                        quote! {
                            #enter
                            for #value in #range {
                                #space.grain(#value as i64);
                            }
                        }
                    }
                }
            }
        }
    }

    fn name(&self, id: Id) -> &Ident {
        &self.0.expansion.kernel.bindings[id].unique
    }
}

/// Prints an arm for the grains of each loop.
pub(super) struct Arms<'e, 'a> {
    pub printer: Printer<'e>,
    pub arms: &'a mut Vec<TokenStream>,
}

impl Arms<'_, '_> {
    /// Adds the arms of sections. `before`: control that holds there. `depth`: number of outer
    /// values that grains have there.
    pub(super) fn sections(
        &mut self,
        sections: &[Section<'_>],
        before: &TokenStream,
        mut depth: usize,
    ) {
        let private = self.printer.private;
        let site = hygienic("site");
        let mut before = before.clone();
        for section in sections {
            match section {
                Section::Check(_) => {}
                Section::Carry(id, node) => {
                    before.extend(self.carried(*id, node, depth));
                    depth += if let Node::Part { .. } = node { 2 } else { 1 };
                }
                Section::Let(node) => {
                    before.extend(self.before(node));
                }
                Section::Fixed(array, node) => before.extend(self.fixed(*array, node)),
                Section::Block { body, .. } => self.sections(body, &before, depth),
                Section::Enter { head, body, .. } => {
                    let mut inside = before.clone();
                    let Head::For(each) = head else {
                        self.sections(body, &inside, depth);
                        continue;
                    };
                    if let Some(id) = each.variable {
                        let name = &self.printer.expansion.kernel.bindings[id].unique;
                        let range = self.printer.in_place(&each.range);
                        inside.extend(
                            quote!(let #name = #private::item(|| #range, #site.outer[#depth]);),
                        );
                    }
                    self.sections(body, &inside, depth + usize::from(each.variable.is_some()));
                }
                Section::Grains(grains) => {
                    let number = grains.number;
                    let grains = self.grains(grains);
                    self.arms.push(quote!(#number => { #before #grains }));
                }
            }
        }
    }

    /// Prints control that has the outer value of that number, or a part of an array between two of
    /// them. Its own expression is not evaluated, and only tells its type.
    fn carried(&self, id: Id, node: &Node, number: usize) -> TokenStream {
        let (private, site) = (self.printer.private, hygienic("site"));
        let binding = &self.printer.expansion.kernel.bindings[id];
        let name = &binding.unique;
        let Node::Let {
            init: Some(init), ..
        } = node
        else {
            let (text, end) = (binding.name.to_string(), number + 1);
            let bound = |number| quote!(#site.outer[#number] as usize);
            let (start, end) = (bound(number), bound(end));
            return quote!(let #name = #private::Part::new(#text, #start, #end, #private::UNKNOWN););
        };
        let ty = self.printer.declared(id).map(|ty| quote!(: #ty));
        let init = self.printer.in_place(init);
        quote!(let #name #ty = #private::carried(|| #init, #site.outer[#number]);)
    }

    /// Prints control that holds for the grains behind it. It is evaluated once for each group of
    /// grains that run together, however many these are, and so stands on no tape.
    fn before(&self, node: &Node) -> TokenStream {
        let emitted = match self.printer.emitted {
            Emitted::Recorded | Emitted::Replayed => Emitted::Assignment,
            as_is => as_is,
        };
        let printer = Printer {
            emitted,
            ..self.printer
        };
        printer.node(node, 0)
    }

    /// Prints data that grains behind it use. As control before grains it is computed once for a
    /// group of them, and what it reads stands on no tape.
    fn fixed(&self, array: usize, node: &Node) -> TokenStream {
        if self.printer.emitted == Emitted::Accesses {
            return self.printer.node(node, 0);
        }
        if !self.printer.emitted.computes() {
            return TokenStream::new();
        }
        let printer = Printer {
            emitted: Emitted::Assignment,
            ..self.printer
        };
        let declaration = self.number(array);
        let assignment = printer.node(node, 0);
        quote!(#declaration #assignment)
    }

    /// Declares data that is one number.
    fn number(&self, array: usize) -> TokenStream {
        let expansion = self.printer.expansion;
        let name = &expansion.binding(array).unique;
        let ty = expansion.element(array, 1);
        quote!(let mut #name: #ty;)
    }

    fn grains(&self, grains: &Grains<'_>) -> TokenStream {
        let private = self.printer.private;
        let (common, [load, store]) = self.in_variables(grains);
        let nodes: Vec<&Node> = match &grains.of {
            GrainsOf::Statements(nodes) => nodes.clone(),
            GrainsOf::Loop(each) => each.body.iter().collect(),
        };
        let printer = Printer {
            common: &common,
            grain: &nodes,
            ..self.printer
        };
        let (site, accesses) = (hygienic("site"), hygienic("accesses"));
        let begin = (self.printer.emitted == Emitted::Accesses).then(|| quote!(#accesses.begin();));
        let (arrays, scalars) = self.locals(grains);
        match &grains.of {
            GrainsOf::Statements(nodes) => {
                let nodes = nodes.iter().map(|node| printer.node(node, 0));
                quote!(#begin #(#arrays)* #(#scalars)* #load #(#nodes)* #store)
            }
            GrainsOf::Loop(each) => {
                let bindings = &self.printer.expansion.kernel.bindings;
                let name = each
                    .variable
                    .map(|id| bindings[id].unique.to_token_stream());
                let name = name.unwrap_or_else(|| quote!(_));
                let (label, range) = (&each.label, printer.in_place(&each.range));
                let body = printer.nodes(&each.body, 0);
                let stretch = hygienic("stretch");
                quote! {
                    #(#arrays)*
                    for #stretch in #private::stretches(|| #range, #site) {
                        #label for #name in #stretch {
                            #begin
                            #(#scalars)*
                            #body
                        }
                    }
                }
            }
        }
    }

    /// Returns the arrays in common that grains use word by word. Returns, too, the code that loads
    /// the others before a grain and stores them behind it.
    ///
    /// A number stays in a variable if statements read it in any case and write it nowhere, or
    /// write it in any case. Otherwise a load or a store could be an access that was not tracked,
    /// for which no other grain waits.
    fn in_variables(&self, grains: &Grains<'_>) -> (BTreeSet<usize>, [TokenStream; 2]) {
        let mut common = grains.common.clone();
        let (mut load, mut store) = (TokenStream::new(), TokenStream::new());
        let GrainsOf::Statements(nodes) = &grains.of else {
            return (common, [load, store]);
        };
        if !self.printer.emitted.computes() {
            return (common, [load, store]);
        }
        let lowered = self.printer.expansion.lowered;
        let (mut reads, mut targets) = (BTreeSet::new(), BTreeSet::new());
        for node in nodes {
            if let Node::Task(task) = node {
                let statement = &lowered.statements[task.statement];
                reads.extend(statement.operands.iter().copied());
                targets.extend(statement.target);
            }
        }
        for &array in &grains.common {
            let mut nodes = nodes.iter();
            let is_written = nodes.any(|node| writes(node, array, &lowered.statements));
            let is_used = match is_written {
                true => targets.contains(&array),
                false => reads.contains(&array),
            };
            let binding = self.printer.expansion.binding(array);
            if !is_used || !binding.dimensions.is_empty() {
                continue;
            }
            let (name, words) = (&binding.unique, common_name(&binding.unique));
            common.remove(&array);
            load.extend(quote!(let mut #name = #words[0usize];));
            // Others may read a number that stays as it is.
            if is_written {
                store.extend(quote!(#words[0usize] = #name;));
            }
        }
        (common, [load, store])
    }

    /// Declares the data that each grain has for itself: arrays, which all grains of a call use in
    /// turn, and scalars.
    fn locals(&self, grains: &Grains<'_>) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let (mut arrays, mut scalars) = (Vec::new(), Vec::new());
        if !self.printer.emitted.computes() {
            return (arrays, scalars);
        }
        let expansion = self.printer.expansion;
        for &array in &grains.locals {
            let id = expansion.lowered.arrays[array].id;
            let name = &expansion.kernel.bindings[id].unique;
            let ty = expansion.element(array, 1);
            let dimensions = &expansion.kernel.bindings[id].dimensions;
            if dimensions.is_empty() {
                scalars.push(self.number(array));
                continue;
            }
            let lengths = (0..dimensions.len()).map(|depth| self.printer.length(id, depth, false));
            let length = quote!(1 #(* (#lengths))*);
            let value = zero(&ty).unwrap_or_else(|| default(&ty));
            arrays.push(quote!(let mut #name: [#ty; #length] = [#value; #length];));
        }
        (arrays, scalars)
    }
}
