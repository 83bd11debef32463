//! Instances of kernels that people write, to be traced.
//!
//! The build script, the bench and a test of answers compile this file, each as a module of its
//! own. It is no part of the crate, whose kernels are to be called.

// Each uses a part of it.
#![allow(dead_code, unreachable_pub)]

use superstep::build::Instance;

use self::pattern::Factor;

mod kernels;
mod pattern;

/// Kernel of the collection.
pub struct Kernel {
    /// Its module.
    pub field: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Makes its instance at a size: tiny, small or real, from 0 on.
    pub instance: fn(usize) -> Instance,
}

/// Number of sizes of each kernel.
pub const SIZES: usize = 3;

macro_rules! cases {
    ($($field:ident::$kernel:ident {
        sizes: $size:pat in $sizes:expr,
        $(pattern: { $($pattern:tt)* },)?
        instance: $control:tt,
        $(given: $given:tt,)?
        data: $data:tt,
        call: $call:tt,
    })*) => {
        /// All kernels.
        pub const KERNELS: &[Kernel] = &[$(Kernel {
            field: stringify!($field),
            name: stringify!($kernel),
            instance: |size| {
                let sizes: [_; SIZES] = $sizes;
                let $size = sizes[size];
                $($($pattern)*)?
                kernels::$field::$kernel::instance $control
            },
        }),*];
    };
}

include!("cases.rs");
