//! The attribute's argument: whether a kernel is planned at run time.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{LitBool, Token};

use crate::errors::Errors;

syn::custom_keyword!(plan);

/// Choice of a kernel's author.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Planning {
    /// `#[kernel]`: planned if it can be.
    #[default]
    Tried,
    /// `#[kernel(plan)]`: it is an error if it cannot be planned.
    Insisted,
    /// `#[kernel(plan = false)]`: never planned.
    Excluded,
}

impl Planning {
    /// Reads the attribute's argument, or refuses it.
    pub(crate) fn of(attribute: &TokenStream, errors: &mut Errors) -> Self {
        syn::parse2(attribute.clone()).unwrap_or_else(|_| {
            errors.refuse(
                attribute,
                "`#[kernel]` takes nothing but `plan` or `plan = false`: sizes and processors are chosen in the build script",
            );
            Self::default()
        })
    }
}

impl Parse for Planning {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.parse::<Option<plan>>()?.is_none() {
            return Ok(Self::Tried);
        }
        if input.parse::<Option<Token![=]>>()?.is_none() {
            return Ok(Self::Insisted);
        }
        Ok(match input.parse::<LitBool>()?.value {
            true => Self::Insisted,
            false => Self::Excluded,
        })
    }
}

impl ToTokens for Planning {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Tried => quote!(),
            Self::Insisted => quote!(plan),
            Self::Excluded => quote!(plan = false),
        });
    }
}
