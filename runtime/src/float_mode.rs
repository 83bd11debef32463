//! Floating-point mode of a thread: how operations round, whether they flush subnormal numbers to
//! zero, and which exceptions end the process.
//!
//! A thread has the mode of the thread that spawned it, as that was then; each may change its own
//! later. So a worker adopts its caller's before it computes. On x86-64 (and x86 with SSE) that is
//! the control part of MXCSR, on AArch64 FPCR; other architectures keep what they have. The flags
//! that say which exceptions there were stay with the thread that had them.
//!
//! Rust has no other mode than the default one: the compiler may compute constants, and move
//! operations to where a mode is not set yet. What this module promises is that a worker does what
//! its caller would have done with the same code.

/// Mode that a thread can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FloatMode(register::Bits);

impl FloatMode {
    /// Returns this thread's mode; takes nanoseconds.
    #[inline]
    pub(crate) fn here() -> Self {
        Self(register::read() & register::CONTROL)
    }

    /// Makes this the mode of this thread. Writes the register only if it was another.
    #[inline]
    pub(crate) fn adopt(self) {
        let bits = register::read();
        if bits & register::CONTROL != self.0 {
            register::write((bits & !register::CONTROL) | self.0);
        }
    }
}

#[cfg(all(
    any(
        target_arch = "x86_64",
        all(target_arch = "x86", target_feature = "sse")
    ),
    not(any(miri, loom))
))]
mod register {
    use std::arch::asm;

    pub(super) type Bits = u32;

    /// Bits of MXCSR that are the mode: all but the six flags of exceptions that there were.
    pub(super) const CONTROL: Bits = !0x3f;

    #[inline]
    pub(super) fn read() -> Bits {
        let mut bits = 0;
        // SAFETY: stores MXCSR in a word of ours, and does nothing else.
        unsafe {
            asm!("stmxcsr [{}]", in(reg) &mut bits, options(nostack, preserves_flags));
        }
        bits
    }

    #[inline]
    pub(super) fn write(bits: Bits) {
        // SAFETY: loads MXCSR from a word of ours. Its bits are those that another thread's MXCSR
        // has and flags of this one's, so none is reserved. The thread computes in the mode in
        // which its caller, for whom it works, computes already.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &bits, options(nostack, readonly));
        }
    }
}

#[cfg(all(target_arch = "aarch64", not(any(miri, loom))))]
mod register {
    use std::arch::asm;

    pub(super) type Bits = u64;

    /// Bits of FPCR that are the mode: all, as the flags are in another register.
    pub(super) const CONTROL: Bits = !0;

    #[inline]
    pub(super) fn read() -> Bits {
        let bits;
        // SAFETY: reads FPCR, and does nothing else.
        unsafe {
            asm!("mrs {}, fpcr", out(reg) bits, options(nomem, nostack, preserves_flags));
        }
        bits
    }

    #[inline]
    pub(super) fn write(bits: Bits) {
        // SAFETY: writes FPCR with what another thread has in its own. The thread computes in the
        // mode in which its caller, for whom it works, computes already.
        unsafe {
            asm!("msr fpcr, {}", in(reg) bits, options(nostack));
        }
    }
}

#[cfg(not(all(
    any(
        target_arch = "x86_64",
        all(target_arch = "x86", target_feature = "sse"),
        target_arch = "aarch64"
    ),
    not(any(miri, loom))
)))]
mod register {
    pub(super) type Bits = u32;

    pub(super) const CONTROL: Bits = 0;

    pub(super) fn read() -> Bits {
        0
    }

    pub(super) fn write(_: Bits) {}
}
