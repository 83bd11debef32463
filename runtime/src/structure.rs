//! Structure arguments (`#[structure]`) as plans hold them: lent by the caller, or owned together
//! with others.
//!
//! A plan rests on the words that were tracked. So only types are taken whose words
//! stay as they are while the plan holds them, whoever else does.

use std::fmt;
use std::ops::Deref;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

/// Argument marked `#[structure]` that a plan holds: a slice, or an array of fixed length.
///
/// It is made of a reference, which the plan borrows, or of an `Arc<[T]>`, a `Vec<T>`, an
/// `Arc<Vec<T>>` or a `Box<[T]>`, which it owns then. Words are never copied.
///
/// ```
/// use std::sync::Arc;
/// use superstep_runtime::structure::Structure;
///
/// let row: Arc<[usize]> = Arc::from([0, 1, 3]);
/// let held: Structure<'static, [usize]> = Arc::clone(&row).into();
/// assert!(std::ptr::eq(held.get(), &row[..]));
/// ```
pub struct Structure<'s, T: ?Sized>(Ownership<'s, T>);

enum Ownership<'s, T: ?Sized> {
    Lent(&'s T),
    Owned(Arc<dyn Deref<Target = T> + Send + Sync>),
}

impl<T: ?Sized> Structure<'_, T> {
    /// Returns the argument.
    pub fn get(&self) -> &T {
        match &self.0 {
            Ownership::Lent(lent) => lent,
            Ownership::Owned(owned) => owned,
        }
    }

    fn owned(owner: impl Deref<Target = T> + Send + Sync + 'static) -> Self {
        Self(Ownership::Owned(Arc::new(owner)))
    }
}

/// No call leaves it in the middle of a change: it never changes.
impl<T: ?Sized> UnwindSafe for Structure<'_, T> {}
impl<T: ?Sized> RefUnwindSafe for Structure<'_, T> {}

impl<T: ?Sized> Clone for Structure<'_, T> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Ownership::Lent(lent) => Ownership::Lent(lent),
            Ownership::Owned(owned) => Ownership::Owned(Arc::clone(owned)),
        })
    }
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for Structure<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl<'s, T: ?Sized> From<&'s T> for Structure<'s, T> {
    fn from(lent: &'s T) -> Self {
        Self(Ownership::Lent(lent))
    }
}

impl<T: Send + Sync + ?Sized + 'static> From<Arc<T>> for Structure<'_, T> {
    fn from(owned: Arc<T>) -> Self {
        Self::owned(owned)
    }
}

impl<T: Send + Sync + ?Sized + 'static> From<Box<T>> for Structure<'_, T> {
    fn from(owned: Box<T>) -> Self {
        Self::owned(owned)
    }
}

impl<T: Send + Sync + 'static> From<Vec<T>> for Structure<'_, [T]> {
    fn from(owned: Vec<T>) -> Self {
        Self::owned(owned)
    }
}

impl<T: Send + Sync + 'static> From<Arc<Vec<T>>> for Structure<'_, [T]> {
    fn from(owned: Arc<Vec<T>>) -> Self {
        /// Leads to the words, not to the vector.
        struct Words<T>(Arc<Vec<T>>);

        impl<T> Deref for Words<T> {
            type Target = [T];

            fn deref(&self) -> &[T] {
                &self.0
            }
        }

        Self::owned(Words(owned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_where_they_were() {
        type Make = fn(Vec<u32>) -> Structure<'static, [u32]>;
        let forms: [Make; 4] = [
            Structure::from,
            |words| Arc::new(words).into(),
            |words| words.into_boxed_slice().into(),
            |words| (&*words.leak()).into(),
        ];
        for form in forms {
            let words = vec![3, 1, 2];
            let at = words.as_ptr();
            let held = form(words);
            let other = held.clone();
            drop(held);
            assert_eq!((other.get(), other.get().as_ptr()), (&[3, 1, 2][..], at));
        }
    }

    #[test]
    fn words_go_with_the_last_who_holds_them() {
        let words: Arc<[u32]> = Arc::from([3, 1, 2]);
        let held = Structure::from(Arc::clone(&words));
        let other = held.clone();
        drop(held);
        assert_eq!(Arc::strong_count(&words), 2);
        drop(other);
        assert_eq!(Arc::strong_count(&words), 1);
    }
}
