//! The resources that the kernel denies a child that becomes another program: every file but the program's own, every connection, and
//! every system call that would start a process, look into another one, or change the machine.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// Where the libraries of a program lie.
const LIBRARIES: [&str; 5] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"];

/// Says which library lies where.
const LIBRARY_CACHE: &str = "/etc/ld.so.cache";

/// The programs that load another one with its libraries.
const LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];

/// The system calls that fail as if the kernel lacked them.
const DENIED: [libc::c_long; 27] = [
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_clone3,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_io_uring_setup,
    libc::SYS_userfaultfd,
];

/// Confines the calling thread to `program` for good. A kernel that lacks a protection still applies the others.
pub(super) fn confine_to(program: &Path, readable: &[&Path]) {
    let all =
        [rustix::thread::set_no_new_privs(true).map_err(io::Error::from), allow_files(program, readable), deny_calls()];
    for error in all.into_iter().filter_map(Result::err) {
        tracing::debug!(%error, "a protection is missing");
    }
}

/// Denies every file, TCP port, abstract socket and foreign process, except what the program needs to run.
fn allow_files(program: &Path, readable: &[&Path]) -> io::Result<()> {
    let abi = ABI::V6;
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let run = AccessFs::ReadFile | AccessFs::Execute;
    let restricted = Ruleset::default()
        .handle_access(AccessFs::from_all(abi))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(abi)))
        .and_then(|rules| rules.scope(Scope::from_all(abi)))
        .and_then(Ruleset::create)
        .and_then(|rules| allow(rules, LIBRARIES.iter().map(Path::new), read))
        .and_then(|rules| allow(rules, readable.iter().copied(), read))
        .and_then(|rules| allow(rules, [Path::new(LIBRARY_CACHE)], AccessFs::ReadFile.into()))
        .and_then(|rules| allow(rules, LOADERS.iter().map(Path::new), run))
        .and_then(|rules| allow(rules, [program], run))
        .and_then(RulesetCreated::restrict_self);
    match restricted {
        Ok(status) if status.ruleset != RulesetStatus::NotEnforced => Ok(()),
        Ok(_) => Err(io::ErrorKind::Unsupported.into()),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// Adds the paths that exist.
fn allow<'a>(
    mut rules: RulesetCreated,
    paths: impl IntoIterator<Item = &'a Path>,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    for path in paths {
        if let Ok(opened) = PathFd::new(path) {
            rules = rules.add_rule(PathBeneath::new(opened, access))?;
        }
    }
    Ok(rules)
}

/// Denies processes, connections and the rest of [`DENIED`]. Threads are allowed.
fn deny_calls() -> io::Result<()> {
    let filter = || -> Result<BpfProgram, seccompiler::BackendError> {
        let thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
        let process = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(thread), 0)?;
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> = DENIED.into_iter().map(|call| (call, Vec::new())).collect();
        #[cfg(target_arch = "x86_64")]
        rules.extend([(libc::SYS_fork, Vec::new()), (libc::SYS_vfork, Vec::new())]);
        rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![process])?]);
        let arch = std::env::consts::ARCH.try_into()?;
        let absent = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
        SeccompFilter::new(rules, SeccompAction::Allow, absent, arch)?.try_into()
    };
    seccompiler::apply_filter(&filter().map_err(io::Error::other)?).map_err(io::Error::other)
}
