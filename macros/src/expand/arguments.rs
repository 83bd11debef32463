//! Arguments of the kernel as its interface takes them: sizes, structure and data.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;

use super::scope;
use crate::classify::{Class, Classes};
use crate::kernel::{Binder, Bindings, Dimension, Id, Kernel, Parameter, Passing};
use crate::places::measured;

/// One parameter of the kernel.
pub(super) struct Argument {
    pub name: Ident,
    /// Type in the kernel's own module.
    pub ty: Type,
    pub kind: Kind,
}

/// Kind of a parameter in the interface.
pub(super) enum Kind {
    /// A size.
    Size,
    /// A `#[structure]` slice or fixed array, with its number of dimensions.
    Structure { dimensions: usize },
    /// Data. `length`: the control parameter that is its length, if the kernel uses it.
    Data {
        passing: Passing,
        /// None for a scalar.
        dimensions: usize,
        /// Set if the outermost dimension is a slice's.
        slice: bool,
        length: Option<Ident>,
    },
}

/// Returns the arguments in the order of the parameters.
pub(super) fn of(kernel: &Kernel, classes: &Classes) -> Vec<Argument> {
    let measured = measured(kernel);
    let argument = |parameter: &Parameter| {
        let binding = &kernel.bindings[parameter.id];
        let dimensions = binding.dimensions.len();
        let kind = match (classes[parameter.id], binding.marks.structure) {
            (_, true) => Kind::Structure { dimensions },
            (Class::Control, false) => Kind::Size,
            _ => Kind::Data {
                passing: match binding.binder {
                    Binder::Parameter(passing) => passing,
                    _ => Passing::Value,
                },
                dimensions,
                slice: matches!(binding.dimensions.first(), Some(Dimension::Slice)),
                length: measured
                    .contains(&parameter.id)
                    .then(|| length_name(&kernel.bindings, parameter.id)),
            },
        };
        Argument {
            name: binding.unique.clone(),
            ty: scope::ty(&parameter.ty, 1),
            kind,
        }
    };
    kernel.parameters.iter().map(argument).collect()
}

/// Returns the control parameter for a slice's length.
pub(super) fn length_name(bindings: &Bindings, id: Id) -> Ident {
    bindings.free(&format!("{}_len", bindings[id].unique.unraw()))
}

impl Argument {
    /// Returns its type as a control parameter, or that of its length.
    pub(super) fn control_type(&self) -> TokenStream {
        match self.kind {
            Kind::Size | Kind::Structure { .. } => self.ty.to_token_stream(),
            Kind::Data { .. } => quote!(usize),
        }
    }

    /// Returns the type that it refers to, if it is a reference.
    pub(super) fn referent(&self) -> Option<&Type> {
        match &self.ty {
            Type::Reference(reference) => Some(&reference.elem),
            _ => None,
        }
    }

    /// Returns the type that a `#[structure]` parameter refers to, if it is a reference.
    pub(super) fn structure(&self) -> Option<&Type> {
        let is_structure = matches!(self.kind, Kind::Structure { .. });
        self.referent().filter(|_| is_structure)
    }

    /// Prints the field that has its words, if it is data.
    pub(super) fn field_of_words(&self) -> Option<TokenStream> {
        let (name, words) = (&self.name, self.words()?);
        Some(quote!(#name: #words))
    }

    /// Prints data as a slice of words: `&[T]`, or `&mut [T]` for a `&mut` parameter.
    fn words(&self) -> Option<TokenStream> {
        let name = &self.name;
        let Kind::Data {
            passing,
            dimensions,
            slice,
            ..
        } = self.kind
        else {
            return None;
        };
        if dimensions == 0 {
            return Some(match passing {
                Passing::Value => quote!(::core::slice::from_ref(&#name)),
                Passing::Shared => quote!(::core::slice::from_ref(#name)),
                Passing::Mutable => quote!(::core::slice::from_mut(&mut *#name)),
            });
        }
        let (start, method) = match (slice, passing == Passing::Mutable) {
            (true, false) => (quote!(#name), quote!(.as_flattened())),
            (true, true) => (quote!((&mut *#name)), quote!(.as_flattened_mut())),
            (false, false) => (quote!(#name.as_slice()), quote!(.as_flattened())),
            (false, true) => (quote!(#name.as_mut_slice()), quote!(.as_flattened_mut())),
        };
        let flattened = std::iter::repeat_n(method, dimensions - 1);
        Some(quote!(#start #(#flattened)*))
    }

    /// Returns its name as a control parameter.
    pub(super) fn control_name(&self) -> Option<&Ident> {
        match &self.kind {
            Kind::Size | Kind::Structure { .. } => Some(&self.name),
            Kind::Data { length, .. } => length.as_ref(),
        }
    }

    /// Returns the control parameter that is the length of this slice of data, if there is one.
    pub(super) fn length(&self) -> Option<&Ident> {
        match &self.kind {
            Kind::Data { length, .. } => length.as_ref(),
            _ => None,
        }
    }

    /// Prints the `let` that binds that length, in a call of the whole kernel.
    pub(super) fn measure(&self) -> Option<TokenStream> {
        let name = &self.name;
        let length = self.length()?;
        Some(quote!(let #length = #name.len();))
    }

    /// Feeds its control argument to a sink.
    pub(super) fn feed(&self) -> Option<TokenStream> {
        let name = self.control_name()?;
        Some(match &self.kind {
            Kind::Structure { dimensions } => {
                let flat = flat(quote!(#name), *dimensions);
                quote_spanned!(Span::mixed_site()=> sink.slice(#flat);)
            }
            _ => quote_spanned!(Span::mixed_site()=> sink.scalar(#name as i128);),
        })
    }

    /// Names its control argument to the identity of a plan.
    pub(super) fn identify(&self, private: &TokenStream) -> Option<TokenStream> {
        let name = self.control_name()?;
        let shown = self.name.unraw();
        let shown = match &self.kind {
            Kind::Data { .. } => format!("{shown}.len()"),
            Kind::Structure { .. } | Kind::Size => shown.to_string(),
        };
        Some(match &self.kind {
            Kind::Structure { .. } => {
                quote_spanned!(Span::mixed_site()=> #private::structure(identity, #shown, &#name[..]);)
            }
            _ => quote_spanned!(Span::mixed_site()=> #private::scalar(identity, #shown, &#name);),
        })
    }

    /// Returns whether it is a kernel array.
    pub(super) fn is_data(&self) -> bool {
        matches!(self.kind, Kind::Data { .. })
    }
}

/// Prints a (nested) array or slice as a slice of its words.
pub(super) fn flat(array: TokenStream, dimensions: usize) -> TokenStream {
    let flattened = std::iter::repeat_n(quote!(.as_flattened()), dimensions.saturating_sub(1));
    quote!(#array #(#flattened)*)
}
