//! The resources that the kernel denies a child: new privileges, system calls (seccomp), files and connections (Landlock). Each restriction
//! works by itself, so a kernel that lacks one still applies the others.

use std::collections::BTreeMap;
use std::io;

use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetStatus, Scope};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// The system calls of a child that has its input: memory, threads, signals of its own and its pipes. See decision 6.
const ALLOWED: [libc::c_long; 28] = [
    libc::SYS_brk,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_madvise,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_sigaltstack,
    libc::SYS_write,
    libc::SYS_writev,
];

/// Confines the calling thread, and every thread that it starts, for good. Call it before the first thread.
///
/// Returns the protections that this kernel lacks.
pub fn confine() -> Vec<&'static str> {
    let all = [("no_new_privs", no_new_privs()), ("Landlock", deny_files()), ("seccomp", deny_calls())];
    all.into_iter().filter_map(|(name, applied)| applied.is_err().then_some(name)).collect()
}

/// The protections that children lack on this machine, found by confining a thread that ends.
pub fn missing() -> Vec<&'static str> {
    let tried = std::thread::Builder::new().spawn(confine).map(std::thread::JoinHandle::join);
    match tried {
        Ok(Ok(missing)) => missing,
        Ok(Err(_)) | Err(_) => vec!["a thread to try them"],
    }
}

/// A program that the child might start gains nothing from the set-user-id bit.
fn no_new_privs() -> io::Result<()> {
    Ok(rustix::thread::set_no_new_privs(true)?)
}

/// Denies every file, TCP port, abstract socket and foreign process, as far as the kernel can.
fn deny_files() -> io::Result<()> {
    let abi = ABI::V6;
    let restricted = Ruleset::default()
        .handle_access(AccessFs::from_all(abi))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(abi)))
        .and_then(|rules| rules.scope(Scope::from_all(abi)))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self);
    match restricted {
        Ok(status) if status.ruleset != RulesetStatus::NotEnforced => Ok(()),
        Ok(_) => Err(io::ErrorKind::Unsupported.into()),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// Makes all other system calls fail as if the kernel lacked them, which libraries expect: glibc then starts a thread with `clone`,
/// whose flags can be checked, instead of `clone3`.
fn deny_calls() -> io::Result<()> {
    let filter = || -> Result<BpfProgram, seccompiler::BackendError> {
        let arch = std::env::consts::ARCH.try_into()?;
        let absent = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
        SeccompFilter::new(rules()?, absent, SeccompAction::Allow, arch)?.try_into()
    };
    seccompiler::apply_filter(&filter().map_err(io::Error::other)?).map_err(io::Error::other)
}

fn rules() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let only = |call, argument: u8, operator, value: u64| {
        let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?;
        Ok((call, vec![SeccompRule::new(vec![condition])?]))
    };
    let bits = |bits: libc::c_int| SeccompCmpOp::MaskedEq(u64::from(bits.unsigned_abs()));
    let thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
    let checked = [
        // Threads, never processes.
        only(libc::SYS_clone, 0, bits(libc::CLONE_THREAD), thread),
        // Data is not executed.
        only(libc::SYS_mmap, 2, bits(libc::PROT_EXEC), 0),
        only(libc::SYS_mprotect, 2, bits(libc::PROT_EXEC), 0),
        // Limits of this process, which are only lowered from here on.
        only(libc::SYS_prlimit64, 0, SeccompCmpOp::Eq, 0),
        // An abort signals the thread itself.
        only(libc::SYS_tgkill, 0, SeccompCmpOp::Eq, std::process::id().into()),
    ];
    let allowed = ALLOWED.into_iter().map(|call| Ok((call, Vec::new())));
    allowed.chain(checked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::net::{TcpListener, TcpStream};
    use std::os::unix::net::UnixDatagram;
    use std::process::Command;

    /// Confines this thread. A kernel may be built without Landlock; it has the others.
    fn confine_fully() {
        let missing = confine();
        assert!(missing.is_empty() || missing == ["Landlock"], "{missing:?}");
    }

    /// Runs `work` on a thread of its own, which is confined by `protect` first.
    fn confined<T: Send + 'static>(
        protect: impl FnOnce() + Send + 'static,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> T {
        let both = move || {
            protect();
            work()
        };
        std::thread::spawn(both).join().expect("the thread ends by itself")
    }

    #[test]
    fn a_confined_thread_opens_no_file_and_no_socket_and_starts_no_program() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let outcomes = confined(confine_fully, move || {
            [
                ("read a file", File::open("/etc/passwd").map(drop)),
                ("write a file", File::create("/tmp/visadesk-sandbox").map(drop)),
                ("list a folder", std::fs::read_dir("/").map(drop)),
                ("remove a file", std::fs::remove_file("/tmp/visadesk-sandbox")),
                ("connect", TcpStream::connect(address).map(drop)),
                ("listen", TcpListener::bind("127.0.0.1:0").map(drop)),
                ("a local socket", UnixDatagram::unbound().map(drop)),
                ("a program", Command::new("/bin/true").status().map(drop)),
            ]
        });
        for (what, outcome) in outcomes {
            let error = outcome.expect_err(what);
            assert_eq!(error.raw_os_error(), Some(libc::ENOSYS), "{what}: {error}");
        }
        File::open("/etc/passwd").expect("other threads are free");
    }

    #[test]
    fn landlock_alone_denies_files_and_connections() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let denied = |error: io::Error| matches!(error.kind(), io::ErrorKind::PermissionDenied);
        if missing() == ["Landlock"] {
            println!("not tested: this kernel is built without Landlock");
            return;
        }
        let protect = || deny_files().expect("this kernel has Landlock");
        let (read, connected) = confined(protect, move || (File::open("/etc/passwd"), TcpStream::connect(address)));
        assert!(read.is_err_and(denied) && connected.is_err_and(denied));
    }

    #[test]
    fn a_confined_thread_computes_allocates_and_starts_threads() {
        let sum: u64 = confined(confine_fully, || {
            let numbers: Vec<u64> = (0..10_000_000).collect();
            std::thread::scope(|scope| {
                let halves: Vec<_> =
                    numbers.chunks(5_000_000).map(|half| scope.spawn(|| half.iter().sum::<u64>())).collect();
                halves.into_iter().map(|half| half.join().expect("it adds")).sum()
            })
        });
        assert_eq!(sum, 49_999_995_000_000);
    }

    #[test]
    fn a_machine_that_allows_no_protection_is_reported() {
        // The filter denies the calls that confine, as an old kernel or the profile of a container does.
        let all = ["no_new_privs", "Landlock", "seccomp"];
        assert_eq!(confined(|| deny_calls().expect("this kernel has seccomp"), missing), all);
    }

    #[test]
    fn a_server_finds_out_which_protections_are_missing_and_stays_free() {
        let missing = missing();
        assert!(missing.is_empty() || missing == ["Landlock"], "{missing:?}");
        File::open("/etc/passwd").expect("only the thread that tried is confined");
    }
}
