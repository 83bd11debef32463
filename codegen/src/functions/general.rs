//! Functions of runs of which nothing is known but their statements: one word after the other,
//! found by their slots.
//!
//! Other functions fall back to them where slices would overlap, and runs have them that are too
//! rare for functions of their own.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use superstep_compiler::pattern::{Signature, uses};

use super::handing_over::handed_over;
use super::{Access, Function};

impl Function<'_> {
    /// Prints the loop that is right for all runs. `general` names the general function of a
    /// statement.
    pub(super) fn word_by_word(&self, general: &dyn Fn(&Signature) -> Ident) -> TokenStream {
        let handed_over = handed_over(self.signature);
        if handed_over.is_empty() {
            let access = vec![Access::Slot; self.uses.len()];
            return self.repeated(&access, &TokenStream::new());
        }
        let arms = handed_over
            .iter()
            .map(|&statement| self.arm(statement, general));
        let statements = self.signature.statements.iter();
        let statements = statements.map(|&statement| Literal::u16_unsuffixed(statement));
        quote! {
            for x in 0..run.count() {
                let mut c = 0;
                for statement in [#(#statements),*] {
                    c += match statement {
                        #(#arms)*
                        _ => unreachable!("these are all statements"),
                    };
                }
            }
        }
    }

    /// Prints the execution of one statement, whose components begin at `c`, in iteration `x`, and
    /// the number of its components.
    fn arm(&self, statement: u16, general: &dyn Fn(&Signature) -> Ident) -> TokenStream {
        let function = general(&Signature::general(self.kernel, &[statement]));
        let components = uses(self.kernel, &[statement]).len();
        let components = Literal::usize_unsuffixed(components);
        let statement = Literal::u16_unsuffixed(statement);
        quote! {
            #statement => {
                let values = run.once::<#components>(c, x);
                #function(memory, Run::new(1, values.as_flattened(), &[0; #components]));
                #components
            }
        }
    }
}
