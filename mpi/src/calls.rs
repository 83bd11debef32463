//! Calls of MPI whose return codes are all looked at.
//!
//! The crate `mpi` drops most codes, so this module calls the functions that it binds. It has all
//! the `unsafe` code of this crate.

use std::ffi::{c_char, c_int, c_void};
use std::mem;

use mpi::ffi;
use superstep::ranks::RankError;

/// Kind of a message: its tag.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Bytes for a program or a sum.
    Message = 0,
    /// Nothing: the last message of a rank.
    End = 1,
}

/// Code of a rank that aborts.
const FAILED: c_int = 1;

/// Turns a code into an error with the library's text for it.
fn check(call: &'static str, code: c_int) -> Result<(), RankError> {
    if code == ffi::MPI_SUCCESS as c_int {
        return Ok(());
    }
    let mut text = [0u8; ffi::MPI_MAX_ERROR_STRING as usize];
    let mut length = 0;
    // SAFETY: the text has room for the longest that there is.
    unsafe { ffi::MPI_Error_string(code, text.as_mut_ptr().cast::<c_char>(), &mut length) };
    let text = &text[..(length.max(0) as usize).min(text.len())];
    Err(RankError::Engine {
        call,
        code,
        message: String::from_utf8_lossy(text).into_owned(),
    })
}

/// Communicator of its own: a duplicate whose messages mix with nobody's, and whose errors are
/// returned.
pub(crate) struct Channel {
    raw: ffi::MPI_Comm,
}

impl Channel {
    /// Duplicates a communicator (collective).
    pub(crate) fn duplicate(raw: ffi::MPI_Comm) -> Result<Self, RankError> {
        // SAFETY: both outlive the calls, and a handle is plain data.
        unsafe {
            let mut channel = Self {
                raw: ffi::RSMPI_COMM_NULL,
            };
            check("MPI_Comm_dup", ffi::MPI_Comm_dup(raw, &mut channel.raw))?;
            let returned = ffi::MPI_Comm_set_errhandler(channel.raw, ffi::RSMPI_ERRORS_RETURN);
            check("MPI_Comm_set_errhandler", returned)?;
            Ok(channel)
        }
    }

    pub(crate) fn rank(&self) -> Result<usize, RankError> {
        let mut rank = 0;
        // SAFETY: the rank outlives the call.
        check("MPI_Comm_rank", unsafe {
            ffi::MPI_Comm_rank(self.raw, &mut rank)
        })?;
        Ok(rank as usize)
    }

    pub(crate) fn size(&self) -> Result<usize, RankError> {
        let mut size = 0;
        // SAFETY: the size outlives the call.
        check("MPI_Comm_size", unsafe {
            ffi::MPI_Comm_size(self.raw, &mut size)
        })?;
        Ok(size as usize)
    }

    /// Begins to send a message in pieces of so many bytes. The last one is shorter, and may be
    /// empty: so a receiver knows it.
    pub(crate) fn send(
        &self,
        to: usize,
        kind: Kind,
        bytes: Vec<u8>,
        piece: usize,
    ) -> Result<Sending, RankError> {
        let pieces = bytes.len() / piece + 1;
        let mut sending = Sending {
            to,
            requests: Vec::with_capacity(pieces),
            bytes,
        };
        for number in 0..pieces {
            let rest = &sending.bytes[number * piece..];
            let own = &rest[..rest.len().min(piece)];
            // SAFETY: the bytes stay where they are until the request is over: `Sending` has them.
            let code = unsafe {
                let mut request = ffi::RSMPI_REQUEST_NULL;
                let code = ffi::MPI_Isend(
                    own.as_ptr().cast::<c_void>(),
                    own.len() as c_int,
                    ffi::RSMPI_UINT8_T,
                    to as c_int,
                    kind as c_int,
                    self.raw,
                    &mut request,
                );
                sending.requests.push(request);
                code
            };
            check("MPI_Isend", code)?;
        }
        Ok(sending)
    }

    /// Appends the next piece of a rank's messages of a kind to `bytes`, if it is there; returns
    /// its length.
    pub(crate) fn receive(
        &self,
        from: usize,
        kind: Kind,
        bytes: &mut Vec<u8>,
    ) -> Result<Option<usize>, RankError> {
        // SAFETY: what calls write to outlives them. A matched message has `count` bytes, for which
        // `bytes` has room, and which are written when `MPI_Mrecv` returns without an error.
        unsafe {
            let (mut flag, mut count) = (0, 0);
            let mut message = ffi::RSMPI_MESSAGE_NULL;
            let mut status: ffi::MPI_Status = mem::zeroed();
            let found = ffi::MPI_Improbe(
                from as c_int,
                kind as c_int,
                self.raw,
                &mut flag,
                &mut message,
                &mut status,
            );
            check("MPI_Improbe", found)?;
            if flag == 0 {
                return Ok(None);
            }
            let counted = ffi::MPI_Get_count(&status, ffi::RSMPI_UINT8_T, &mut count);
            check("MPI_Get_count", counted)?;
            let length = usize::try_from(count).map_err(|_| RankError::Malformed { from })?;
            let before = bytes.len();
            bytes.reserve(length);
            let received = ffi::MPI_Mrecv(
                bytes.spare_capacity_mut().as_mut_ptr().cast::<c_void>(),
                count,
                ffi::RSMPI_UINT8_T,
                &mut message,
                ffi::RSMPI_STATUS_IGNORE,
            );
            check("MPI_Mrecv", received)?;
            bytes.set_len(before + length);
            Ok(Some(length))
        }
    }

    /// Ends all ranks.
    pub(crate) fn abort(&self) {
        // SAFETY: it takes no memory. Its code tells nothing: there is no other way to end.
        unsafe { ffi::MPI_Abort(self.raw, FAILED) };
    }

    /// Gives the duplicate back (collective).
    pub(crate) fn free(&mut self) {
        // SAFETY: the handle is set to the null one.
        let freed = unsafe { ffi::MPI_Comm_free(&mut self.raw) };
        debug_assert!(check("MPI_Comm_free", freed).is_ok(), "nobody has freed it");
    }
}

/// Message on its way, with its bytes.
pub(crate) struct Sending {
    to: usize,
    requests: Vec<ffi::MPI_Request>,
    bytes: Vec<u8>,
}

impl Sending {
    /// Returns the receiver.
    pub(crate) fn to(&self) -> usize {
        self.to
    }

    /// Returns the bytes of a message that has left.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        debug_assert!(self.requests.is_empty(), "it has left");
        mem::take(&mut self.bytes)
    }

    /// Returns whether the message has left.
    pub(crate) fn is_over(&mut self) -> Result<bool, RankError> {
        while let Some(request) = self.requests.last_mut() {
            let mut flag = 0;
            // SAFETY: what the call writes to outlives it.
            let code = unsafe { ffi::MPI_Test(request, &mut flag, ffi::RSMPI_STATUS_IGNORE) };
            check("MPI_Test", code)?;
            if flag == 0 {
                return Ok(false);
            }
            self.requests.pop();
        }
        Ok(true)
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        if !self.requests.is_empty() {
            // The library may still read them.
            mem::forget(mem::take(&mut self.bytes));
        }
    }
}
