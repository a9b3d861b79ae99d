//! The real binary: configuration, start, logs and shutdown.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use serde_json::Value;
use visadesk::clock::Clock;
use visadesk::db::schema::orders;
use visadesk::db::{Conn, Db, migrations};
use visadesk::orders::status::ProcessStatus::{self, Future, New};

use crate::support::database::{apart, connect, is_postgres};
use crate::support::orders::add_order_to;
use crate::support::program::{Installation, Program};
use crate::support::wire::Wire;
use crate::support::{PATIENCE, until};

/// The output of a program.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs `check-config` with these settings and this file. Returns its output or its error message.
fn check_config(installation: &Installation, settings: &[(&str, &str)], file: &str) -> Result<String, String> {
    let path = installation.folder().join("visadesk.toml");
    fs::write(&path, file).expect("the file is written");
    let mut command = installation.command(&["--config", &path.display().to_string(), "check-config"]);
    let output = command.envs(settings.iter().copied()).output().expect("the program runs");
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

#[tokio::test]
async fn an_unknown_setting_is_refused_with_the_nearest_known_one() {
    let installation = Installation::make_empty().await;
    for (settings, file, unknown, nearest) in [
        (vec![("VISADESK_LIMITS__CONNECTONS", "5")], "", "limits.connectons", "limits.connections"),
        (vec![("VISADESK_TRUSTED_PROXY", "10.0.0.1")], "", "trusted_proxy", "trusted_proxies"),
        (vec![], "lisen = '127.0.0.1:1'", "lisen", "listen"),
        (vec![], "[mail]\nawss = 'x'", "mail.awss", "mail.aws"),
        (vec![], "[limit]\nconnections = 5", "limit.connections", "limits.connections"),
    ] {
        let refused = check_config(&installation, &settings, file).expect_err("it is refused");
        assert_eq!(
            refused.trim(),
            format!("visadesk: The configuration key {unknown} is not known. Did you mean {nearest}?")
        );
    }
}

#[tokio::test]
async fn an_invalid_value_is_refused_with_the_name_of_its_setting() {
    let installation = Installation::make_empty().await;
    for (name, value) in [
        ("LISTEN", "nowhere"),
        ("TIME_ZONE", "Mars/Olympus"),
        ("LOG_FORMAT", "xml"),
        ("TRUSTED_PROXIES", "10.0.0.0/8,proxy.example"),
        ("DATABASE_CONNECTIONS", "0"),
        ("LIMITS__CONNECTIONS", "many"),
        ("LIMITS__HEAD_SECONDS", "0"),
        ("LIMITS__UPLOAD_BYTES", "-1"),
    ] {
        let refused = check_config(&installation, &[(&format!("VISADESK_{name}"), value)], "").expect_err(name);
        let setting = name.replace("__", ".").to_lowercase();
        assert!(refused.to_lowercase().contains(&setting), "{name}: {refused}");
        assert_eq!(refused.trim().lines().count(), 1, "{name}: {refused}");
    }
    let refused = installation.command(&["--config", "/nowhere.toml", "check-config"]).output().expect("it runs");
    assert!(!refused.status.success() && text(&refused.stderr).contains("/nowhere.toml does not exist"));
}

#[tokio::test]
async fn the_environment_overrides_the_file_and_secrets_are_masked() {
    let installation = Installation::make_empty().await;
    let settings = [
        ("VISADESK_DATABASE_URL", "postgres://desk:kanari-db@db.example/visadesk?sslpassword=kanari-tls"),
        ("VISADESK_MAIL__AWS", "smtps://AKIA:kanari/aws@email.example:465"),
        ("VISADESK_PUBLIC_URL", "https://desk.example"),
    ];
    let file = "public_url = 'https://file.example'\nmarketing_url = 'https://file.example'\n\
                [mail]\nsendgrid = 'smtps://apikey:kanari-sendgrid@smtp.example'";
    let shown = check_config(&installation, &settings, file).expect("the configuration is valid");
    assert!(!shown.contains("kanari"), "{shown}");
    for line in [
        "database_url = \"postgres://desk:********@db.example/visadesk?sslpassword=********\"",
        "aws = \"smtps://AKIA:********@email.example:465\"",
        "sendgrid = \"smtps://apikey:********@smtp.example\"",
        "public_url = \"https://desk.example\"",
        "marketing_url = \"https://file.example\"",
        "head_seconds = 10",
    ] {
        assert!(shown.contains(line), "{line} is missing in\n{shown}");
    }
}

#[tokio::test]
async fn unusable_mail_settings_are_refused_at_start() {
    let installation = Installation::make_empty().await;
    let templates = installation.folder().join("templates");
    fs::create_dir(&templates).expect("a folder");
    fs::write(templates.join("approval.html"), "{{ nobody_knows_this }}").expect("a template");
    let templates = templates.display().to_string();
    for (name, value, expected) in [
        ("AWS", "smtp://name:kanari@mail.example:587", "mail.aws would send mails in the clear"),
        ("SENDGRID", "smtp://mail.example", "mail.sendgrid would send mails in the clear"),
        ("SENDGRID", "mail.example", "mail.sendgrid must be smtps://"),
        ("FROM", "nobody", "mail.from must be one email address"),
        ("FROM", "a@b.example, c@d.example", "mail.from must be one email address"),
        ("TEMPLATES_DIR", "/nowhere/at/all", "mail.templates_dir"),
        ("TEMPLATES_DIR", &templates, "approval.html"),
        ("GIVE_UP_HOURS", "0", "mail.give_up_hours must be at least 1"),
    ] {
        let refused = check_config(&installation, &[(&format!("VISADESK_MAIL__{name}"), value)], "").expect_err(value);
        assert!(refused.contains(expected), "{value}: {refused}");
        assert!(!refused.contains("kanari"), "{refused}");
        let started =
            installation.command(&["serve"]).env(format!("VISADESK_MAIL__{name}"), value).output().expect("it runs");
        assert!(!started.status.success() && text(&started.stderr).contains(expected), "{}", text(&started.stderr));
    }
}

#[tokio::test]
async fn processes_that_start_together_migrate_once() {
    let installation = Installation::make_empty().await;
    let children: Vec<_> = (0..4).map(|_| installation.command(&["migrate"]).spawn().expect("it starts")).collect();
    let mut steps = 0;
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", text(&output.stderr));
        steps += usize::from(!text(&output.stdout).contains("(new steps: 0)"));
    }
    assert_eq!(steps, 1, "exactly one process migrates");
}

#[tokio::test]
async fn a_process_waits_for_another_one_that_takes_long_to_migrate() {
    /// Longer than a request would wait.
    const LONG: Duration = Duration::from_secs(7);
    let installation = Installation::make_empty().await;
    let url = installation.database_url();
    let mut other = match url.strip_prefix("sqlite://") {
        Some(file) => Conn::Sqlite(SqliteConnection::establish(file).expect("it opens")),
        None => Conn::Postgres(connect(&url)),
    };
    // On SQLite, this also keeps others from giving the new file its log.
    let (begin, end) = match is_postgres() {
        true => ("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('migrations', 0))", "COMMIT"),
        false => ("BEGIN EXCLUSIVE", "COMMIT"),
    };
    apart(|| other.batch_execute(begin).expect("the lock is taken"));
    let child = installation.command(&["migrate"]).spawn().expect("it starts");
    tokio::time::sleep(LONG).await;
    apart(|| other.batch_execute(end).expect("the lock is released"));
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!text(&output.stdout).contains("(new steps: 0)"), "{}", text(&output.stdout));
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_left_unchanged() {
    let installation = Installation::make().await;
    let url = installation.database_url();
    let newer = move || {
        let db = Db::open(&url, 1)?;
        db.write_now(|tx| {
            use diesel::connection::SimpleConnection;
            Ok(tx.batch_execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('99991231000000')")?)
        })?;
        migrations::migrate(&db)
    };
    let refused = tokio::task::spawn_blocking(newer).await.expect("it ends");
    assert_eq!(refused.map_err(|error| error.code()), Err("unknown_migration"));
    let output = installation.run(&["serve"], "");
    assert!(
        !output.status.success() && text(&output.stderr).contains("another version of Visadesk"),
        "{}",
        text(&output.stderr)
    );
}

#[tokio::test]
async fn the_signing_key_is_readable_only_by_its_owner() {
    let installation = Installation::make().await;
    let key = installation.folder().join("secret.key");
    drop(installation.serve(&[]));
    assert_eq!(fs::metadata(&key).expect("the key").permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&key, Permissions::from_mode(0o644)).expect("the file belongs to this user");
    let output = installation.run(&["serve"], "");
    assert!(!output.status.success() && text(&output.stderr).contains("chmod 600"), "{}", text(&output.stderr));
}

#[tokio::test]
async fn a_graceful_stop_finishes_open_requests_and_accepts_no_new_ones() {
    let installation = Installation::make().await;
    let mut program = installation.serve(&[]);
    let mut idle = Wire::open(program.address).await;
    assert_eq!(idle.get("/healthz").await, Some(200));
    let body = r#"{"email":"nobody@desk.example","password":"wrong"}"#;
    let mut busy = Wire::open(program.address).await;
    let head = format!(
        "POST /api/admin/admin-login HTTP/1.1\r\nhost: desk\r\ncontent-type: application/json\r\nexpect: 100-continue\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    busy.send(head).await;
    assert_eq!(busy.answer().await.map(|(status, _)| status), Some(100), "the handler waits for the body");
    busy.send(&body[..10]).await;

    program.terminate();
    idle.until_closed().await;
    until("new connections are refused", async || tokio::net::TcpStream::connect(program.address).await.err()).await;
    busy.send(&body[10..]).await;
    let (status, answer) = busy.answer().await.expect("the open request is answered");
    assert_eq!(status, 401, "{answer}");
    assert!(program.ends_within(PATIENCE).await, "the process exits");
    assert!(program.log().contains("\"message\":\"stopped\""));
}

#[tokio::test]
async fn a_hanging_request_does_not_block_the_stop() {
    let installation = Installation::make().await;
    // Nothing else ends the request before the test ends.
    let mut program =
        installation.serve(&[("VISADESK_LIMITS__STOP_SECONDS", "1"), ("VISADESK_LIMITS__BODY_IDLE_SECONDS", "600")]);
    let mut hangs = Wire::open(program.address).await;
    hangs
        .send(
            "POST /api/admin/admin-login HTTP/1.1\r\nhost: desk\r\ncontent-type: application/json\r\nexpect: 100-continue\r\n\
             content-length: 100\r\n\r\n",
        )
        .await;
    assert_eq!(hangs.answer().await.map(|(status, _)| status), Some(100));
    program.terminate();
    assert!(program.ends_within(PATIENCE).await, "the process exits despite the hanging client");
    let log = program.log();
    let aborted = log.lines().find(|line| line.contains("were aborted")).expect("the log says so");
    let aborted: Value = serde_json::from_str(aborted).expect("a JSON record");
    assert_eq!(aborted["seconds"], 1, "after the time of the settings");
}

#[tokio::test]
async fn a_process_out_of_file_descriptors_recovers() {
    let installation = Installation::make().await;
    let program = Program::start(installation.command_after("ulimit -n 60", "serve"));
    let mut wires = Vec::new();
    for _ in 0..100 {
        wires.push(Wire::open(program.address).await);
    }
    program.says(&["no connection can be accepted"]).await;
    drop(wires);
    assert_eq!(Wire::open(program.address).await.get("/healthz").await, Some(200));
}

#[tokio::test]
async fn a_running_server_releases_due_future_orders_whatever_the_machine_s_time_zone() {
    for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago"] {
        let installation = Installation::make().await;
        let url = installation.database_url();
        let db = tokio::task::spawn_blocking(move || Db::open(&url, 2).expect("it opens")).await.expect("it opens");
        let clock = Clock::default();
        let today = clock.today(chrono_tz::Asia::Jakarta);
        let due = add_order_to(&db, Future, clock.now(), |order| order.processing_date = Some(today)).await;
        let later = today.checked_add_days(chrono::Days::new(2));
        let waiting = add_order_to(&db, Future, clock.now(), |order| order.processing_date = later).await;
        let _server = installation.serve(&[("TZ", zone)]);
        let status = async |order: i64| {
            let found = orders::table.find(order).select(orders::process_status);
            db.read(move |conn| Ok(found.first::<ProcessStatus>(conn)?)).await.expect("the order is there")
        };
        until("the due order is released", async || (status(due).await == New).then_some(())).await;
        assert_eq!(status(waiting).await, Future, "{zone}");
    }
}

#[tokio::test]
async fn a_server_says_in_its_log_what_is_unsafe() {
    let installation = Installation::make().await;
    installation.serve(&[("VISADESK_TRUSTED_PROXIES", "10.0.0.0/8")]).says(&["public_url is not https"]).await;
    fs::set_permissions(installation.folder(), Permissions::from_mode(0o755)).expect("its rights are changed");
    installation.serve(&[]).says(&["data_dir can be opened by other users"]).await;
    let seeded = installation.run(&["seed", "--orders", "5", "--demo-staff"], "");
    assert!(seeded.status.success(), "{}", text(&seeded.stderr));
    installation.serve(&[]).says(&["the people of the demo can sign in"]).await;
}

#[tokio::test]
async fn people_of_the_demo_who_are_added_while_the_server_runs_are_warned_of_too() {
    let installation = Installation::make().await;
    let server = installation.serve(&[]);
    server.says(&["there are no people of the demo"]).await;
    let seeded = installation.run(&["seed", "--orders", "5", "--demo-staff"], "");
    assert!(seeded.status.success(), "{}", text(&seeded.stderr));
    server.says(&["the people of the demo can sign in"]).await;
}
