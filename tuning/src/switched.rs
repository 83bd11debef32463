//! Tuned numbers that a bench switches.

use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Setting of a tuned number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    /// Value that it has been given.
    AsIs,
    /// Value without effect.
    Off,
    /// Half of its value.
    Half,
    /// Twice its value.
    Double,
}

impl Setting {
    /// All settings.
    pub const ALL: [Self; 4] = [Self::AsIs, Self::Off, Self::Half, Self::Double];
}

/// Type of tuned numbers.
pub trait Number: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// Multiplies the number. Integers are rounded, and at least 1. Of a fraction between 1/2 and 2
    /// the distance from 1 is multiplied: it is a share of something, or a factor on it.
    #[must_use]
    fn times(self, factor: f64) -> Self;
}

impl Number for f64 {
    fn times(self, factor: f64) -> Self {
        match self > 0.5 && self < 2.0 {
            true => 1.0 + factor * (self - 1.0),
            false => factor * self,
        }
    }
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(
            impl Number for $type {
                fn times(self, factor: f64) -> Self {
                    (factor * self as f64).round().max(1.0) as Self
                }
            }
        )*
    };
}

integers!(i32 u32 u64 usize);

impl<T: Number> Number for Option<T> {
    fn times(self, factor: f64) -> Self {
        self.map(|number| number.times(factor))
    }
}

impl<T: Number, const N: usize> Number for [T; N] {
    fn times(self, factor: f64) -> Self {
        self.map(|number| number.times(factor))
    }
}

/// Tuned number, declared by [`tuned!`](crate::tuned).
#[derive(Debug)]
pub struct Tuned<T> {
    name: &'static str,
    value: T,
    off: Option<T>,
    /// Position of its setting in [`Setting::ALL`].
    setting: AtomicU8,
    is_read: AtomicBool,
}

/// Numbers that have been read since somebody asked.
static READ: Mutex<Vec<&'static dyn Switch>> = Mutex::new(Vec::new());

/// Returns the numbers that any thread has read since the last call, by name.
pub fn read() -> Vec<&'static dyn Switch> {
    let mut read = std::mem::take(&mut *READ.lock().unwrap_or_else(PoisonError::into_inner));
    for number in &read {
        number.forget();
    }
    read.sort_by_key(|number| number.name());
    read
}

impl<T: Number> Tuned<T> {
    /// Makes a number of that value, with the one without effect: for [`tuned!`](crate::tuned).
    pub const fn new(name: &'static str, value: T, off: Option<T>) -> Self {
        Self {
            name,
            value,
            off,
            setting: AtomicU8::new(0),
            is_read: AtomicBool::new(false),
        }
    }

    /// Returns the number at its setting.
    pub fn get(&'static self) -> T {
        if !self.is_read.load(Relaxed) && !self.is_read.swap(true, Relaxed) {
            let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
            read.push(self);
        }
        let setting = Setting::ALL[usize::from(self.setting.load(Relaxed))];
        self.at(setting).unwrap_or(self.value)
    }

    fn at(&self, setting: Setting) -> Option<T> {
        match setting {
            Setting::AsIs => Some(self.value),
            Setting::Off => self.off,
            Setting::Half => Some(self.value.times(0.5)),
            Setting::Double => Some(self.value.times(2.0)),
        }
    }
}

/// Tuned number of any type, as an ablation takes it.
pub trait Switch: Sync {
    /// Returns the name, behind the path of its module.
    fn name(&self) -> &'static str;
    /// Returns the value at a setting, if it has one there; other settings are other values.
    fn value(&self, setting: Setting) -> Option<String>;
    /// Sets it from here on. Without a value at that setting it keeps the one that it was given.
    fn set(&self, setting: Setting);
    /// Notes that nobody has read it.
    fn forget(&self);
}

impl<T: Number> Switch for Tuned<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn value(&self, setting: Setting) -> Option<String> {
        let value = self.at(setting)?;
        let is_other = setting == Setting::AsIs || value != self.value;
        is_other.then(|| format!("{value:.3?}"))
    }

    fn set(&self, setting: Setting) {
        self.setting.store(setting as u8, Relaxed);
    }

    fn forget(&self) {
        self.is_read.store(false, Relaxed);
    }
}

/// Declares tuned numbers: see the [crate's page](crate).
#[macro_export]
macro_rules! tuned {
    ($($(#[$doc:meta])* $vis:vis const $name:ident: $type:ty = $value:expr $(, off $off:expr)?;)+) => {
        $(
            $(#[$doc])*
            #[doc = concat!("\n`superstep-bench ablation ", stringify!($name), "` switches it.")]
            $vis static $name: $crate::Tuned<$type> = $crate::Tuned::new(
                concat!(module_path!(), "::", stringify!($name)),
                $value,
                // The first: none stands alone where nothing is said.
                [$(Some($off),)? None][0],
            );
        )+
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    tuned! {
        /// Share.
        const SHARE: f64 = 0.8, off 0.0;
        /// Numbers.
        const NUMBERS: [u32; 2] = [1, 3];
    }

    #[test]
    fn a_switch_changes_what_is_read() {
        assert_eq!(SHARE.get(), 0.8);
        let names: Vec<&str> = read().iter().map(|number| number.name()).collect();
        assert_eq!(names, ["superstep_tuning::switched::tests::SHARE"]);
        assert!(read().is_empty());
        let values = |setting| {
            SHARE.set(setting);
            NUMBERS.set(setting);
            (SHARE.get(), NUMBERS.get())
        };
        assert_eq!(values(Setting::Off), (0.0, [1, 3]));
        assert_eq!(values(Setting::Half), (0.9, [1, 2]));
        assert_eq!(values(Setting::Double), (0.6000000000000001, [2, 6]));
        assert_eq!(values(Setting::AsIs), (0.8, [1, 3]));
        assert_eq!(NUMBERS.value(Setting::Off), None);
        assert_eq!(read().len(), 2);
    }
}
