//! Interface of kernels: what the macro emits for each, so that the rest of the runtime can be
//! written once.

use std::marker::PhantomData;

use superstep_plan::Strided;

use crate::words::Permit;

/// Type as data of a kernel. Where `IS_DATA` cannot be computed, since it says that the type is
/// none, the compiler has no more to say of the type.
pub trait Data<const IS_DATA: bool> {
    /// Type itself.
    type Word;
}

impl<T> Data<true> for T {
    type Word = T;
}

/// Test by `IsData::<T>::ANSWER` whether `T` can be data. Of the two constants of that name the
/// compiler takes the one of the type itself, if that has one.
#[derive(Debug)]
pub struct IsData<T>(PhantomData<T>);

impl<T: Copy + Send + Sync + 'static> IsData<T> {
    /// Answer for types that can be data.
    pub const ANSWER: bool = true;
}

/// The other answer of [`IsData`].
pub trait IsNoData {
    /// Answer for all other types.
    const ANSWER: bool = false;
}

impl<T> IsNoData for IsData<T> {}

/// Kernel as a running program sees it. Implemented by `#[kernel]` for a unit struct.
///
/// `array` is an index into the kernel's arrays (parameters that hold data first, in order, then
/// locals).
pub trait Kernel: Sized + Send + Sync + 'static {
    /// Private memory of one processor: a `Vec` per array.
    type Memory: Send + 'static;
    /// Arrays that generated code reads and writes.
    type View<'v>;
    /// Packet that crosses between two processors at one boundary: a stream per element type.
    type Packet: Default + Send + 'static;
    /// Data arguments of one call.
    type Arguments<'a>;
    /// Data arguments while they are lent to all processors; `()` if the kernel does not lend them.
    type Lent: Copy + Send + Sync + 'static;

    /// Name of the function.
    const NAME: &'static str;

    /// Line that keeps the kernel from being planned at run time, and why; none if it can be
    /// planned, or its author wants no plans.
    const UNPLANNED: Option<&'static str> = None;

    /// Returns the name of a value that control reads and that is another one here than it was in
    /// the build (see [`environment`](crate::environment)). Then no program fits.
    fn differs() -> Option<&'static str> {
        None
    }

    /// Returns the words of the argument for `array` (nested fixed arrays are flattened); 0 for
    /// locals.
    fn argument_words(arguments: &Self::Arguments<'_>, array: u16) -> usize;

    /// Returns whether [`memory`](Self::memory) can be made for these arguments: it may copy a word
    /// of theirs into locals of the same type.
    fn fills(_arguments: &Self::Arguments<'_>) -> bool {
        true
    }

    /// Makes a memory with `lengths[array]` words for each array. What the words hold is never
    /// read.
    fn memory(arguments: &Self::Arguments<'_>, lengths: &[u32]) -> Self::Memory;

    /// Returns the view of a processor's private memory.
    fn view(memory: &mut Self::Memory) -> Self::View<'_>;

    /// Returns the arguments, to be lent; none if the kernel does not lend them.
    fn lend(_arguments: &mut Self::Arguments<'_>) -> Option<Self::Lent> {
        None
    }

    /// Returns the view of the arguments of the `shared` arrays where they are, and of a
    /// processor's private memory of the others.
    fn shared_view<'v>(
        _lent: &Self::Lent,
        memory: &'v mut Self::Memory,
        _shared: &[bool],
        _permit: Permit<'v>,
    ) -> Self::View<'v> {
        Self::view(memory)
    }

    /// Copies inputs from the arguments into a processor's memory.
    fn scatter(arguments: &Self::Arguments<'_>, memory: &mut Self::Memory, strided: &Strided);

    /// Copies results from a processor's memory into the arguments.
    fn gather(arguments: &mut Self::Arguments<'_>, memory: &Self::Memory, strided: &Strided);

    /// Appends words of `memory` (the `from` side of `strided`) to `packet`.
    fn pack(memory: &Self::Memory, packet: &mut Self::Packet, strided: &Strided);

    /// Takes the next words of `packet` into `memory` (the `to` side of `strided`).
    fn unpack(packet: &mut Self::Packet, memory: &mut Self::Memory, strided: &Strided);

    /// Empties `packet`, keeping its allocation.
    fn clear(packet: &mut Self::Packet);

    /// Calls `visit` with each stream of `packet`, in their order.
    ///
    /// # Errors
    /// With the name of an element type whose words are not known as bytes.
    #[cfg(feature = "ranks")]
    fn streams(
        _packet: &mut Self::Packet,
        _visit: &mut dyn FnMut(&mut dyn crate::ranks::element::Raw),
    ) -> Result<(), &'static str> {
        Err("its words")
    }

    /// Makes a memory as [`memory`](Self::memory) does, without arguments: of the first words of
    /// the streams of `packet`.
    #[cfg(feature = "ranks")]
    fn blank(_packet: &Self::Packet, _lengths: &[u32]) -> Option<Self::Memory> {
        None
    }
}
