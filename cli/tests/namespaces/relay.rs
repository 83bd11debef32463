//! A network of cables: each host's TAP device is read and written here, and every frame waits as
//! long as its way takes.
//!
//! Kernels without the queueing discipline `netem` cannot delay packets themselves.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::OFlags,
};

/// Last byte of the hardware addresses is the host's number.
pub(crate) const MAC: &str = "02:00:00:00:00:";

/// Time since the last frame for which the relay does not sleep: waking up takes as long as a link.
const AWAKE: Duration = Duration::from_millis(2);

/// Period of asking whether the relay shall end.
const REST: Duration = Duration::from_millis(20);

/// A thread that passes frames on, until it is dropped.
pub(crate) struct Relay {
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Relay {
    /// Starts with a TAP device for each host, and the delay of a frame by sender, receiver and
    /// bytes.
    pub(crate) fn start(
        taps: Vec<File>,
        delay: impl FnMut(usize, usize, usize) -> Option<Duration> + Send + 'static,
    ) -> Self {
        let end = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&end);
        let thread = thread::spawn(move || pass_on(&taps, delay, &asked));
        let thread = Some(thread);
        Self { end, thread }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Time at which a frame is due, its number, its receiver and its bytes.
type Waiting = (Instant, u64, usize, Vec<u8>);

fn pass_on(
    taps: &[File],
    mut delay: impl FnMut(usize, usize, usize) -> Option<Duration>,
    end: &AtomicBool,
) {
    let mut waiting: BinaryHeap<Reverse<Waiting>> = BinaryHeap::new();
    let (mut count, mut frame) = (0, [0; 2048]);
    let mut last = Instant::now();
    while !end.load(Ordering::Relaxed) {
        let now = Instant::now();
        while let Some(Reverse((due, ..))) = waiting.peek()
            && *due <= now
            && let Some(Reverse((.., to, frame))) = waiting.pop()
        {
            // Networks lose frames.
            drop((&taps[to]).write(&frame));
        }
        let is_awake = !waiting.is_empty() || now - last < AWAKE;
        let rest = Timespec {
            tv_sec: 0,
            tv_nsec: if is_awake {
                0
            } else {
                REST.subsec_nanos().into()
            },
        };
        let mut ready: Vec<PollFd<'_>> = taps
            .iter()
            .map(|tap| PollFd::new(tap, PollFlags::IN))
            .collect();
        if poll(&mut ready, Some(&rest)).unwrap_or(0) == 0 {
            thread::yield_now();
            continue;
        }
        last = Instant::now();
        let ready: Vec<bool> = ready.iter().map(|one| !one.revents().is_empty()).collect();
        for from in (0..taps.len()).filter(|&from| ready[from]) {
            while let Ok(length) = (&taps[from]).read(&mut frame)
                && length >= 14
            {
                let to = usize::from(frame[5]);
                // Neither broadcasts nor multicasts: neighbours are known.
                if frame[0] == 2 && to < taps.len() {
                    count += 1;
                    if let Some(delay) = delay(from, to, length) {
                        let frame = frame[..length].to_vec();
                        waiting.push(Reverse((last + delay, count, to, frame)));
                    }
                }
            }
        }
    }
}

/// Makes a TAP device, which lasts as long as the file is open.
#[allow(unsafe_code)]
pub(crate) fn tap(name: &str) -> io::Result<File> {
    /// `struct ifreq`: 16 bytes of name, ended by 0; then a union that begins with the flags.
    type Request = [u8; 40];
    const TUNSETIFF: rustix::ioctl::Opcode = 0x4004_54ca;
    const IFF_TAP: u16 = 2;
    const IFF_NO_PI: u16 = 0x1000;
    let file = File::options()
        .read(true)
        .write(true)
        .custom_flags(OFlags::NONBLOCK.bits() as i32)
        .open("/dev/net/tun")?;
    let mut request: Request = [0; 40];
    assert!(name.len() < 16);
    request[..name.len()].copy_from_slice(name.as_bytes());
    request[16..18].copy_from_slice(&(IFF_TAP | IFF_NO_PI).to_ne_bytes());
    // SAFETY: TUNSETIFF on /dev/net/tun reads and writes a `struct ifreq`, which is 40 bytes on
    // 64-bit systems and no longer on others. The kernel copies it, so its alignment does not
    // matter, and keeps no pointer to it.
    unsafe {
        let set = rustix::ioctl::Updater::<TUNSETIFF, Request>::new(&mut request);
        rustix::ioctl::ioctl(&file, set)?;
    }
    Ok(file)
}
