//! The requests of this program to the kernel and the allocator about its own threads and memory.

use std::num::NonZero;
use std::thread;

use tokio::sync::oneshot;

use crate::error::{Error, Result};

/// The nice value of background work. On a busy processor it gets about a tenth of the time of a thread of normal priority.
const BACKGROUND_NICE: i32 = 10;

/// Lets the calling thread, or a child that has no other thread yet, wait for all work of normal priority. It cannot be taken back
/// without privileges, so only call it on a thread that ends with its work.
pub fn lower_priority() {
    // On Linux "no process" names the calling thread. A kernel that refuses leaves the priority as it is, which is slower for others
    // and never wrong.
    let _ = rustix::process::setpriority_process(None, BACKGROUND_NICE);
}

/// Runs `work`, which may block, on a thread of its own with the priority of background work.
///
/// Not on one of the runtime's threads for blocking work: those are used again, and a lowered priority stays.
///
/// # Errors
/// Those of `work`. It is an internal error if no thread can be started, or if `work` panics.
pub async fn in_background<T: Send + 'static>(
    thread_name: &str,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let (sender, outcome) = oneshot::channel();
    let started = thread::Builder::new().name(thread_name.to_owned()).spawn(move || {
        lower_priority();
        // The request may have been cancelled meanwhile.
        let _ = sender.send(work());
    });
    started.map_err(Error::internal)?;
    // A dropped sender is a panic of the work.
    outcome.await.map_err(Error::internal)?
}

/// Limits what the allocator keeps of freed memory. Call it before the first thread starts.
///
/// By itself glibc serves every block up to the largest one that was freed, at most 32 MiB, from heaps that it keeps, and has up to eight heaps
/// for each core, of which each keeps its own. Large blocks, as of files in memory and of Argon2, go back to the kernel when they are freed.
#[cfg(target_env = "gnu")]
pub fn limit_kept_memory() {
    /// The smallest block of its own: above every buffer of a list or a details response, whose pages are reused.
    const LARGE: libc::c_int = 1 << 20;
    /// Free bytes at the end of a heap that are kept for the next request.
    const KEPT: libc::c_int = 4 << 20;
    /// Threads seldom wait for each other at two.
    const HEAPS_OF_A_CORE: usize = 2;
    let heaps = thread::available_parallelism().map_or(1, NonZero::get) * HEAPS_OF_A_CORE;
    let heaps = libc::c_int::try_from(heaps).unwrap_or(libc::c_int::MAX);
    for (option, value) in [(libc::M_MMAP_THRESHOLD, LARGE), (libc::M_TRIM_THRESHOLD, KEPT), (libc::M_ARENA_MAX, heaps)]
    {
        #[expect(unsafe_code, reason = "glibc has no other way to set it from within")]
        // SAFETY: it takes two numbers, and no other thread runs yet.
        let is_set = unsafe { libc::mallopt(option, value) };
        debug_assert_eq!(is_set, 1, "glibc knows each option");
    }
}

/// Other libraries of C keep less.
#[cfg(not(target_env = "gnu"))]
pub fn limit_kept_memory() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn background_work_has_a_lower_priority_and_the_other_threads_keep_theirs() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        let lowered = in_background("test", move || Ok(priority())).await;
        assert_eq!(lowered.unwrap(), BACKGROUND_NICE.max(before));
        assert_eq!(priority(), before);
    }

    #[tokio::test]
    async fn background_work_that_panics_is_an_internal_error() {
        let panicked = in_background("test", || -> Result<()> { panic!("on purpose") }).await;
        assert_eq!(panicked.unwrap_err().code(), "internal");
    }
}
