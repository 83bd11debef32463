//! Tuned numbers as they are used: constants.

/// Tuned number, declared by [`tuned!`](crate::tuned).
#[derive(Clone, Copy, Debug)]
pub struct Tuned<T>(T);

impl<T: Copy> Tuned<T> {
    /// Makes a number of that value: for [`tuned!`](crate::tuned).
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// Returns the number.
    #[inline(always)]
    pub const fn get(&self) -> T {
        self.0
    }
}

/// Declares tuned numbers: see the [crate's page](crate).
#[macro_export]
macro_rules! tuned {
    ($($(#[$doc:meta])* $vis:vis const $name:ident: $type:ty = $value:expr $(, off $off:expr)?;)+) => {
        $(
            $(#[$doc])*
            #[doc = concat!("\n`superstep-bench ablation ", stringify!($name), "` switches it.")]
            $vis const $name: $crate::Tuned<$type> = $crate::Tuned::new($value);
        )+
    };
}
