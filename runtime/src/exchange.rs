//! Ends of connections: how a transport lets each processor wait for its peers, receive from them
//! and send to them.

use superstep_order as order;
use superstep_plan::synchronisation::Link;

use crate::kernel::Kernel;
use crate::progress::Aborted;

/// A processor's end of its connections to the others, for one run.
///
/// In each superstep [the processor](crate::processor) calls every method once, in the order in
/// which they stand here; it computes between receiving and sending. So a wrapper that looks at the
/// clock in each call knows for how long it waited, exchanged and computed.
pub(crate) trait Endpoint<K: Kernel> {
    /// Waits until each of the awaited has ended as many supersteps as it should have. An end whose
    /// packets come only when they are complete, and which keeps a copy of each that it sends, need
    /// not wait here.
    ///
    /// # Errors
    /// If one of them ended its part of the run before.
    fn wait(&mut self, awaited: &[order::Wait]) -> Result<(), Aborted>;

    /// Hands over the packet of each link.
    ///
    /// # Errors
    /// If one of them will not come, because its sender ended its part of the run before.
    fn receive(
        &mut self,
        links: &[Link],
        take: impl FnMut(Link, &mut K::Packet),
    ) -> Result<(), Aborted>;

    /// Has the packet of each link filled, and sends it.
    fn send(&mut self, links: &[Link], fill: impl FnMut(Link, &mut K::Packet));

    /// Says that the processor has ended so many supersteps in this run, and wakes the `listeners`,
    /// who wait for just this.
    fn end(&mut self, supersteps: u32, listeners: &[u32]);
}

/// Something between all processors of a run and their transport: a recorder of times, say. `()` is
/// nothing.
pub(crate) trait Layer<K: Kernel>: Send + Sync + 'static {
    /// Wraps the end of a processor. A transport may do so anew for each superstep.
    fn around(&self, processor: usize, endpoint: impl Endpoint<K>) -> impl Endpoint<K>;
}

impl<K: Kernel> Layer<K> for () {
    fn around(&self, _: usize, endpoint: impl Endpoint<K>) -> impl Endpoint<K> {
        endpoint
    }
}
