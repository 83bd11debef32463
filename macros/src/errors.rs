//! Refusals, collected so that a kernel shows all of them at once.

use quote::ToTokens;
use syn::Error;

/// The errors found so far.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    /// Refuses what `tokens` underlines.
    pub(crate) fn refuse(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.add(Error::new_spanned(tokens, message));
    }

    /// Refuses what `tokens` underlines, if there is any.
    pub(crate) fn refuse_any(&mut self, tokens: &Option<impl ToTokens>, message: &str) {
        tokens.iter().for_each(|token| self.refuse(token, message));
    }

    /// Adds an error.
    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Returns the number of refusals.
    pub(crate) fn count(&self) -> usize {
        self.0.iter().flatten().count()
    }

    /// Returns whether nothing was refused.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns all errors, if there are any.
    pub(crate) fn finish(&mut self) -> syn::Result<()> {
        self.0.take().map_or(Ok(()), Err)
    }
}
