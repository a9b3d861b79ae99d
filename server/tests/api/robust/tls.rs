//! PostgreSQL over TLS: what `sslmode` verifies.

use diesel::Connection;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use visadesk::db::{Conn, Db, PgConnection};

use crate::support::database::{Database, apart, runs_on, server_url};

#[derive(QueryableByName)]
struct File {
    #[diesel(sql_type = Text)]
    content: String,
}

#[derive(QueryableByName)]
struct Ssl {
    #[diesel(sql_type = Bool)]
    ssl: bool,
}

/// Reads a certificate file beside the certificate of the server. `cargo xtask test` starts a server with these files.
fn certificate(name: &str) -> String {
    let query = format!(
        "SELECT pg_read_file(regexp_replace(current_setting('ssl_cert_file'), 'server.crt$', '{name}')) AS content"
    );
    apart(|| {
        let mut conn = PgConnection::establish(&server_url()).expect("PostgreSQL answers");
        let file = diesel::sql_query(query).get_result::<File>(&mut conn).expect("the server has a certificate");
        file.content
    })
}

#[tokio::test]
async fn a_server_is_accepted_only_with_a_trusted_certificate_and_matching_name() {
    if !runs_on(Database::Postgres, "SQLite has no server") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let url = |host: &str, trusted: &str| {
        let file = folder.path().join(trusted);
        std::fs::write(&file, certificate(trusted)).expect("it is written");
        let server = server_url().replace("127.0.0.1", host);
        format!("{server}?sslmode=verify-full&sslrootcert={}&hostaddr=127.0.0.1", file.display())
    };
    let (trusted_url, untrusted, other_name) =
        (url("localhost", "server.crt"), url("localhost", "stranger.crt"), url("desk.example", "server.crt"));
    let open = |url: String| tokio::task::spawn_blocking(move || Db::open(&url, 1).map(|_| ()));

    let db = tokio::task::spawn_blocking(move || Db::open(&trusted_url, 1))
        .await
        .expect("it ends")
        .expect("the certificate is accepted");
    let uses_tls = db.read(|conn| {
        let Conn::Postgres(conn) = conn else { return Ok(false) };
        let query = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
        Ok(diesel::sql_query(query).get_result::<Ssl>(conn)?.ssl)
    });
    assert!(uses_tls.await.expect("it answers"));

    for (url, reason) in [(untrusted, "CaUsedAsEndEntity"), (other_name, "not valid for name")] {
        let refused = open(url).await.expect("it ends").expect_err("it is refused");
        assert!(refused.to_string().contains(reason), "{refused}");
    }
}
