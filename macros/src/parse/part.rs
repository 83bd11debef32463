//! Parts of arrays, and words, that have names of their own.

use proc_macro2::Span;
use syn::{Expr, Ident};

use crate::kernel::{Bindings, Dimension, Id, Source, Step, marked};
use crate::places;

/// Part of an array, or word, that a name stands for.
#[derive(Clone)]
pub(super) struct Part {
    /// The array, with the indices that are fixed; or a word. Resolved, and free of names like
    /// this.
    pub place: Expr,
    /// Dimensions that are left.
    pub dimensions: Vec<Dimension>,
    /// Views by which an index of the part becomes one of the array: names of [`Binder::Part`],
    /// each for a part of the one before.
    pub views: Vec<Ident>,
    /// Number of elements, where the last of these does not know it.
    pub length: Option<Expr>,
    /// Set if the name is a reference, so that it stands for a word after `*`.
    pub reference: bool,
}

/// Name that is being given to a part, with the steps that compute where the part lies.
pub(super) struct Borrow<'n> {
    /// Name of what the steps compute.
    pub name: &'n Ident,
    /// Source of the steps.
    pub source: Source,
    pub steps: Vec<Step>,
}

impl<'n> Borrow<'n> {
    pub(super) fn new(name: &'n Ident, source: Source) -> Self {
        Self {
            name,
            source,
            steps: Vec::new(),
        }
    }
}

impl Part {
    /// Makes a part of all of a binding that is no part.
    pub(super) fn whole(id: Id, bindings: &Bindings, span: Span) -> Self {
        let name = marked(id, span);
        let binding = &bindings[id];
        let place = match binding.is_reference() {
            true => syn::parse_quote!((*#name)),
            false => syn::parse_quote!(#name),
        };
        Self::of(place, binding.dimensions.clone())
    }

    /// Makes a part that is a place with these dimensions left: a word, if there are none.
    pub(super) fn of(place: Expr, dimensions: Vec<Dimension>) -> Self {
        Self {
            place,
            dimensions,
            views: Vec::new(),
            length: None,
            reference: false,
        }
    }

    /// Returns the index in the array of an element of the part.
    pub(super) fn index(&self, index: Expr) -> Expr {
        let views = self.views.iter().rev();
        views.fold(index, |index, view| syn::parse_quote!(#view[#index]))
    }

    pub(super) fn element(&self, index: Expr) -> Expr {
        let place = &self.place;
        let index = self.index(index);
        syn::parse_quote!(#place[#index])
    }

    /// Returns the number of elements. Of a whole slice of data it is a control argument of its
    /// own: to be asked for only where it is used.
    pub(super) fn length(&self) -> Expr {
        let place = &self.place;
        match (&self.length, self.views.last()) {
            (Some(length), _) => length.clone(),
            (None, Some(view)) => syn::parse_quote!(#view.len()),
            (None, None) => syn::parse_quote!(#place.len()),
        }
    }

    /// Returns whether the number of elements is known without a control argument.
    pub(super) fn is_measured(&self, bindings: &Bindings) -> bool {
        if !self.views.is_empty() {
            return self.length.is_none();
        }
        let fixed = matches!(self.dimensions.first(), Some(Dimension::Fixed(_)));
        let id = places::target(&self.place, bindings);
        fixed || id.is_some_and(|id| bindings[id].marks.structure)
    }
}
