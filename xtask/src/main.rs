//! The command line of [`xtask`].

#[cfg(target_os = "linux")]
mod verbs;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    verbs::main()
}

#[cfg(not(target_os = "linux"))]
fn main() -> std::process::ExitCode {
    eprintln!(
        "Visadesk is built and tested on Linux: the server confines its child processes with Landlock and seccomp. On this system, use \
         the container that Containerfile describes."
    );
    std::process::ExitCode::FAILURE
}
