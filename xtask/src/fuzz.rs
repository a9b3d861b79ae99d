//! Generated requests against the contract: Schemathesis calls the built server as staff, visitor and sales site. No response may
//! be a server error, or have a status, a media type, headers or a body that the contract does not declare.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::cmd;

use crate::cargo::{self, Build};
use crate::python;
use crate::workspace::{self, Workspace};

/// The requests are the same in each run.
const SEED: &str = "1";
/// The sign-in of the demo's Admin, who may make every call of staff.
const EMAIL: &str = "ayu@demo.visadesk.example";
const PASSWORD: &str = "demo-desk-2026";
/// The calls that `schemathesis.toml` leaves out, or gives only a few requests.
const EXCEPTIONS: usize = 3;
/// What a response is checked for.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,\
                      response_schema_conformance";
/// The limits that the requests of one address and one member would reach.
const LIMITS: [&str; 10] = [
    "SIGN_IN_FAILURES_PER_ADDRESS",
    "SIGN_IN_FAILURES_PER_ACCOUNT",
    "WRONG_EMAILS_PER_ORDER",
    "TRACKS_PER_ADDRESS",
    "PUBLIC_CALLS_PER_ADDRESS",
    "PUBLIC_CALLS",
    "RESENDS_PER_ORDER_AND_HOUR",
    "MAILS_PER_MEMBER_AND_HOUR",
    "MAILS_ELSEWHERE_PER_MEMBER_AND_HOUR",
    "FILES_PER_MEMBER_AND_DAY",
];

/// Sends about `cases` requests, evenly over the calls.
///
/// # Errors
/// If something needed is missing, or a response is not what the contract declares.
pub fn run(workspace: &Workspace, cases: usize) -> Result<()> {
    let schemathesis = python::schemathesis(workspace)?;
    cargo::build(workspace, Build::ServerForTests)?;
    let contract = workspace.root.join("contract/openapi.json");
    let calls = count_calls(&serde_json::from_str(&fs::read_to_string(&contract)?)?).saturating_sub(EXCEPTIONS);
    let each = cases.div_ceil(calls.max(1)).to_string();
    let server = FuzzedServer::start(workspace)?;
    let hooks = workspace.root.join("contract/fuzz");
    let config = hooks.join("schemathesis.toml");
    println!(
        "Seed {SEED}, {each} requests to each call. `cargo xtask test --only fuzz` repeats the same requests; \
         a failure below names its request"
    );
    let FuzzedServer { address, api_key, .. } = &server;
    // A folder of its own, because Schemathesis writes its cases into the current one.
    let _folder = workspace.shell.push_dir(server.folder.join("schemathesis"));
    cmd!(workspace.shell, "{schemathesis} --config-file {config} run {contract} --url {address}")
        .args(["--phases", "examples,fuzzing", "--checks", CHECKS, "--seed", SEED, "--max-examples", &each])
        .args(["--continue-on-failure", "--generation-database", "none", "--warnings", "off"])
        .env("SCHEMATHESIS_HOOKS", "hooks")
        .env("PYTHONPATH", hooks)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("VISADESK_FUZZ_URL", address)
        .env("VISADESK_FUZZ_EMAIL", EMAIL)
        .env("VISADESK_FUZZ_PASSWORD", PASSWORD)
        .env("VISADESK_FUZZ_API_KEY", api_key)
        .run()
        .context("a response is not what the contract declares; see above. A code that is missing needs a test that provokes it")
}

/// The number of operations.
fn count_calls(contract: &Value) -> usize {
    let paths = contract["paths"].as_object().into_iter().flatten();
    paths.map(|(_, methods)| methods.as_object().map_or(0, serde_json::Map::len)).sum()
}

/// The built server on a folder of its own with demo data. Dropping it stops it and removes the folder.
struct FuzzedServer {
    process: Child,
    folder: PathBuf,
    address: String,
    api_key: String,
}

impl FuzzedServer {
    fn start(workspace: &Workspace) -> Result<FuzzedServer> {
        let folder = workspace.fuzz_folder();
        workspace.shell.remove_path(&folder)?;
        workspace.shell.create_dir(folder.join("schemathesis"))?;
        let visadesk = |args: &[&str]| {
            let mut command = workspace::without_settings(&workspace.visadesk());
            command.args(args).env("VISADESK_DATA_DIR", folder.join("data")).env("VISADESK_LISTEN", "127.0.0.1:0");
            command.env("VISADESK_LOG_FORMAT", "text");
            command.envs(LIMITS.map(|name| (format!("VISADESK_LIMITS__{name}"), "1000000")));
            command
        };
        let output = |args: &[&str]| -> Result<String> {
            let output = visadesk(args).stderr(Stdio::inherit()).output().context("cannot start visadesk")?;
            ensure!(output.status.success(), "visadesk {} failed", args.join(" "));
            Ok(String::from_utf8(output.stdout)?)
        };
        output(&["migrate"])?;
        output(&["seed", "--orders", "60", "--seed", SEED, "--demo-staff"])?;
        let api_key = output(&["api-key", "add", "Fuzz"])?.trim().to_owned();
        let log = fs::File::create(folder.join("server.log"))?;
        let process = visadesk(&["serve", "--no-worker"]).stdout(Stdio::piped()).stderr(log).spawn()?;
        let mut server = FuzzedServer { process, folder: folder.clone(), address: String::new(), api_key };
        let stdout = server.process.stdout.take().context("visadesk has no output")?;
        let mut ready = String::new();
        BufReader::new(stdout).read_line(&mut ready)?;
        let address = ready.trim_end().strip_prefix("Visadesk is ready at ").context("visadesk did not start")?;
        address.clone_into(&mut server.address);
        Ok(server)
    }
}

impl Drop for FuzzedServer {
    fn drop(&mut self) {
        if let Err(error) = self.process.kill().and_then(|()| self.process.wait()) {
            eprintln!("cannot stop visadesk: {error}");
        }
        if let Err(error) = fs::remove_dir_all(self.folder.join("data")) {
            eprintln!("cannot remove the data of the fuzzed server: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_are_counted_by_method() {
        assert_eq!(count_calls(&json!({ "paths": { "/a": { "get": {}, "post": {} }, "/b": { "put": {} } } })), 3);
        assert_eq!(count_calls(&json!({})), 0);
    }
}
