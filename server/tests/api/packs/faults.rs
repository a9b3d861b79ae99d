//! Custom templates, valid and hostile: none may read files, run forever or crash the server.

use serde_json::json;
use visadesk::chargebacks::packs::templates::PackTemplates;
use visadesk::config::Config;
use visadesk::staff::rules::StaffType::Manager;

use super::orders::disputed;
use super::{assert_contains, pack_pdf, request_pack};
use crate::support::TestApp;
use crate::support::program::{BINARY, Installation};

fn folder_with(name: &str, source: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), source).unwrap();
    folder
}

/// The error of opening a folder that contains only this template.
async fn refusal(name: &str, source: &str) -> Option<String> {
    let folder = folder_with(name, source);
    let mut config = Config::default();
    config.chargebacks.templates_dir = folder.path().display().to_string();
    let opening = tokio::task::spawn_blocking(move || PackTemplates::open(&config, BINARY.as_ref()));
    opening.await.unwrap().err().map(|error| error.message())
}

#[tokio::test]
async fn a_broken_template_is_refused_with_its_file_and_line() {
    for (name, source, expected) in [
        ("letter.typ", "first line\n#nobody-knows-this", "letter.typ, line 2: unknown variable: nobody-knows-this"),
        ("mails.typ", "#let x = (", "mails.typ, line 1: unclosed delimiter"),
        ("layout.typ", "nothing of what is imported", "line"),
        ("letter.typ", "#import \"@preview/cetz:0.4.0\": *", "letter.typ, line 1: "),
        ("letter.typ", "#read(\"/etc/passwd\")", "letter.typ, line 1: "),
        ("letter.typ", "#read(\"../../../../etc/passwd\")", "letter.typ, line 1: "),
        ("mails.typ", "#image(\"/dev/zero\")", "mails.typ, line 1: "),
        ("letter.typ", "#include \"mails.json\"", "letter.typ, line 1: "),
        (
            "letter.typ",
            "#import \"layout.typ\": *\n#show: pack\n\u{1f389}",
            "contains characters that no font has: \u{1f389}",
        ),
        ("mails.typ", "#for _ in range(9) [x #pagebreak()]", "Defence Pack 2 takes 10 pages of at most 8"),
        ("letter.typ", "x #pagebreak() y <letter-end>", "takes 2 pages of at most 10, and its letter one"),
    ] {
        let message = refusal(name, source).await.unwrap_or_else(|| panic!("{source} was accepted"));
        assert!(
            message.starts_with("chargebacks.templates_dir: ") && message.contains(expected),
            "{source}: {message}"
        );
        assert!(!message.contains("root:"), "{message}");
    }
}

#[tokio::test]
async fn a_template_that_never_ends_or_exhausts_memory_is_stopped() {
    for source in [
        "#for one in range(100000) { for other in range(100000) { let sum = one + other } }",
        "#let text = \"x\" * 1000\n#{ let all = (); for n in range(100000000) { all.push(text + str(n)) } }",
        "#{ let text = \"x\"; for _ in range(60) { text = text + text } }",
        "#let deep(n) = [#deep(n + 1)]\n#deep(0)",
    ] {
        let message = refusal("letter.typ", source).await.expect("it is refused");
        let is_stopped = message.contains("could not be typeset in time") || message.contains("call depth exceeded");
        assert!(is_stopped, "{source}: {message}");
    }
}

#[tokio::test]
async fn a_template_that_hangs_at_runtime_is_stopped_and_the_server_keeps_running() {
    // The template renders the example quickly and never ends for order VD-100001.
    let source = "#let facts = json(bytes(sys.inputs.facts))\n#let most = if facts.order_number == \"VD-100001\" { 100000 } else \
                  { 1 }\n#for one in range(most) { for other in range(most) { let sum = one + other } }\ngood";
    let folder = folder_with("letter.typ", source);
    let path = folder.path().display().to_string();
    let test = TestApp::start_with(|config| config.chargebacks.templates_dir = path).await;
    let (order, other) = (disputed(&test, 1, |_| {}).await, disputed(&test, 1, |_| {}).await);
    let ayu = test.as_staff(Manager, "Ayu");
    let (status, _, _, body) = request_pack(&ayu, order, 1).await;
    assert_eq!(status, 503, "{}", String::from_utf8_lossy(&body));
    assert!(String::from_utf8_lossy(&body).contains("could not be typeset in time"));
    assert_eq!(request_pack(&ayu, other, 1).await.0, 200);
    let details = ayu.post("/admin/defence-pack-details", json!({ "orderId": order })).await;
    assert_eq!(details.data()["packs"], json!([]), "no pack was stored");
}

#[tokio::test]
async fn a_valid_custom_template_replaces_the_built_in_one() {
    let source = "#import \"layout.typ\": *\n#show: pack\nSurat pembelaan #facts.order_number, #facts.position";
    let folder = folder_with("letter.typ", source);
    let path = folder.path().display().to_string();
    let test = TestApp::start_with(|config| config.chargebacks.templates_dir = path).await;
    let order = disputed(&test, 1, |_| {}).await;
    assert_contains(&pack_pdf(&test, order, 1).await.text(), &["Surat pembelaan VD-100001, The purchase was made"]);
    assert_contains(&pack_pdf(&test, order, 2).await.text(), &["Emails and contacts: order VD-100001"]);
}

#[tokio::test]
async fn check_config_validates_the_templates() {
    let installation = Installation::make_empty().await;
    let folder = folder_with("mails.typ", "#oops");
    let path = folder.path().display().to_string();
    let mut command = installation.command(&["check-config"]);
    let refused = command.env("VISADESK_CHARGEBACKS__TEMPLATES_DIR", &path).output().unwrap();
    assert!(!refused.status.success());
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("mails.typ, line 1: unknown variable: oops"), "{message}");
    let mut command = installation.command(&["check-config"]);
    let missing = command.env("VISADESK_CHARGEBACKS__TEMPLATES_DIR", "/nowhere/at/all").output().unwrap();
    assert!(String::from_utf8_lossy(&missing.stderr).contains("there is no folder /nowhere/at/all"));
}
