//! Documents in S3, and its faults: no partial uploads, no damaged files, and other requests are not affected.

use std::sync::Mutex;

use reqwest::Method;
use visadesk::error::Permission;
use visadesk::staff::rules::StaffType::Team;

use super::kills::{add_order, send};
use super::{shop_with_order, stored, upload};
use crate::support::program::Installation;
use crate::support::sample_files::{pdf, pdf_with, stream};
use crate::support::storage::{Fault, Proxy, S3};
use crate::support::{Answer, Client, TestApp};

/// Starts the program over S3, behind a proxy that simulates network faults.
async fn over_s3() -> (S3, Proxy, TestApp) {
    let s3 = S3::start().await;
    let proxy = Proxy::before(s3.address).await;
    let test = TestApp::start_on(Some(s3.files_at(proxy.address)), |_| {}).await;
    (s3, proxy, test)
}

/// Opens the order's first document. Returns the status and the bytes.
async fn view(budi: &Client<'_>) -> (u16, Vec<u8>) {
    let details = budi.get("/admin/get-orders-details/100001").await;
    let link = details.data()["documents"][0]["link"].as_str().unwrap().to_owned();
    let response = budi.request(Method::GET, &format!("/{link}")).await.send().await.unwrap();
    (response.status().as_u16(), response.bytes().await.unwrap_or_default().to_vec())
}

fn assert_nothing_was_saved(answer: &Answer) {
    assert!(answer.status == 503 && answer.message().contains("nothing was saved"), "{answer}");
    assert_ne!(answer.header("retry-after"), "");
}

#[tokio::test]
async fn files_are_stored_in_s3_under_a_prefix_and_read_back() {
    let (s3, _proxy, test) = over_s3().await;
    let shop = shop_with_order(&test).await.with_key("k1");
    assert_eq!(upload(&shop, "bank_statement", pdf(), "x.pdf").await.status, 200);
    assert_eq!(view(&test.as_staff(Team, "Budi")).await, (200, pdf()));
    let keys = s3.keys();
    assert!(keys.len() == 1 && keys[0].len() == 32, "{keys:?}");
    assert_eq!(upload(&shop, "bank_statement", pdf(), "x.pdf").await.status, 200);
    assert_eq!((stored(&test).await.len(), s3.keys()), (1, keys), "the repeated upload stores no second object");

    let orphan = test.app.documents.files.put(pdf().into(), Permission::in_background()).await.unwrap();
    test.later(chrono::TimeDelta::hours(25));
    assert_eq!(visadesk::documents::sweeper::sweep(&test.app.documents).await.unwrap(), 1);
    assert!(!s3.keys().contains(&orphan.key));
}

#[tokio::test]
async fn an_object_is_never_overwritten() {
    let (_s3, _proxy, test) = over_s3().await;
    let stored = test.app.documents.files.put("first".into(), Permission::in_background()).await.unwrap();
    let refused = test
        .app
        .documents
        .files
        .put_under(stored.key.clone(), "second".into(), Permission::in_background())
        .await
        .unwrap_err();
    assert_eq!(refused.cause().as_deref(), Some("a different file of that name exists"));
    assert_eq!(test.app.documents.files.get(&stored, Permission::in_background()).await.unwrap(), "first");
    assert!(
        test.app
            .documents
            .files
            .put_under(stored.key.clone(), "first".into(), Permission::in_background())
            .await
            .is_ok(),
        "the same content may be written again"
    );
}

#[tokio::test]
async fn while_the_storage_is_down_nothing_is_saved_and_afterwards_uploads_succeed() {
    let (s3, proxy, test) = over_s3().await;
    let shop = shop_with_order(&test).await;
    assert_eq!(upload(&shop, "bank_statement", pdf(), "x.pdf").await.status, 200);
    proxy.set(Fault::Down);
    let budi = test.as_staff(Team, "Budi");
    assert_nothing_was_saved(&upload(&shop, "bank_statement", pdf(), "x.pdf").await);
    assert_eq!(view(&budi).await.0, 503);
    assert_eq!((stored(&test).await.len(), s3.keys().len()), (1, 1));
    proxy.set(Fault::None);
    assert_eq!(view(&budi).await, (200, pdf()));
    assert_eq!(upload(&shop, "bank_statement", pdf(), "x.pdf").await.status, 200);
}

#[tokio::test]
async fn a_file_damaged_in_transit_is_never_shown() {
    let (_s3, proxy, test) = over_s3().await;
    let shop = shop_with_order(&test).await;
    let large = pdf_with("", &[&stream("", &"x".repeat(100_000))]);
    assert_eq!(upload(&shop, "bank_statement", large.clone(), "x.pdf").await.status, 200);
    let budi = test.as_staff(Team, "Budi");
    for fault in [Fault::Cut, Fault::Flip] {
        proxy.set(fault);
        let (status, shown) = view(&budi).await;
        assert!(matches!(status, 500 | 503), "{fault:?}: {status}");
        assert!(!shown.starts_with(b"%PDF"), "{fault:?}");
        let answer = upload(&shop, "bank_statement", pdf(), "x.pdf").await;
        assert!(answer.status == 200 || answer.status == 503, "{fault:?}: {answer}");
        proxy.set(Fault::None);
        assert_eq!(view(&budi).await, (200, large.clone()), "{fault:?} is over");
    }
    let rows =
        visadesk::documents::check::run(test.db(), &test.app.documents.files, visadesk::app::FILE_OWNERS, |fault| {
            panic!("{fault}")
        })
        .await
        .unwrap();
    assert_eq!(rows.faults, 0, "each row has its complete file");
}

#[tokio::test]
async fn a_storage_with_two_kilobytes_per_second_times_out_and_nothing_is_saved() {
    let (_s3, proxy, test) = over_s3().await;
    let shop = shop_with_order(&test).await;
    let large = pdf_with("", &[&stream("", &"x".repeat(200_000))]);
    assert_eq!(upload(&shop, "bank_statement", large.clone(), "x.pdf").await.status, 200);
    proxy.set(Fault::Slow);
    let budi = test.as_staff(Team, "Budi");
    let (answer, shown) = tokio::join!(upload(&shop, "bank_statement", large.clone(), "x.pdf"), view(&budi));
    assert_nothing_was_saved(&answer);
    assert_eq!(shown.0, 503);
    proxy.set(Fault::None);
    assert_eq!((stored(&test).await.len(), view(&budi).await), (1, (200, large)));
}

#[tokio::test]
async fn a_modified_object_is_not_shown() {
    let (s3, _proxy, test) = over_s3().await;
    let shop = shop_with_order(&test).await;
    upload(&shop, "bank_statement", pdf(), "x.pdf").await;
    let key = s3.keys().remove(0);
    let budi = test.as_staff(Team, "Budi");
    let mut of_equal_length = pdf();
    of_equal_length[100] ^= 1;
    for content in [b"%PDF-1.7 another one".to_vec(), of_equal_length] {
        s3.overwrite(&key, &content);
        let (status, shown) = view(&budi).await;
        assert_eq!(status, 500);
        assert!(String::from_utf8(shown).unwrap().contains("so it is not shown"));
    }
    s3.remove(&key);
    let (status, shown) = view(&budi).await;
    assert_eq!(status, 404);
    assert!(String::from_utf8(shown).unwrap().contains("no longer exists"));
}

#[tokio::test]
async fn a_storage_that_hangs_times_out_and_delays_no_other_request() {
    let (s3, proxy, test) = over_s3().await;
    let shop = shop_with_order(&test).await;
    assert_eq!(upload(&shop, "bank_statement", pdf(), "x.pdf").await.status, 200);
    let budi = test.as_staff(Team, "Budi");
    let done = Mutex::new(Vec::new());
    let blocked = async {
        proxy.set(Fault::Silent);
        let views = futures_util::future::join_all((0..8).map(|_| view(&budi)));
        let (answer, views) = tokio::join!(upload(&shop, "bank_statement", pdf(), "x.pdf"), views);
        assert_nothing_was_saved(&answer);
        assert!(views.iter().all(|(status, _)| *status == 503), "{views:?}");
        done.lock().unwrap().push("blocked by the storage");
    };
    let others = async {
        for _ in 0..20 {
            assert_eq!(budi.get("/admin/get-all-folder-count").await.status, 200);
        }
        done.lock().unwrap().push("other requests");
    };
    tokio::join!(blocked, others);
    assert_eq!(*done.lock().unwrap(), ["other requests", "blocked by the storage"]);
    proxy.set(Fault::None);
    assert_eq!((stored(&test).await.len(), view(&budi).await), (1, (200, pdf())));
    drop(s3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storage_with_wrong_keys_is_reported_at_the_start() {
    let s3 = S3::start().await;
    let installation = Installation::make().await;
    let settings = s3.settings();
    let mut settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let (works, warning) = ("the file storage works", "the file storage cannot be used");
    let said = async |settings: &[(&str, &str)]| installation.serve(settings).says(&[works, warning]).await;
    assert_eq!(said(&settings).await, works);
    settings.retain(|(name, _)| *name != "AWS_SECRET_ACCESS_KEY");
    settings.push(("AWS_SECRET_ACCESS_KEY", "another"));
    assert_eq!(said(&settings).await, warning);
}

// The store needs another thread, because the test blocks while a command runs.
#[tokio::test(flavor = "multi_thread")]
async fn the_environment_configures_the_file_storage() {
    let s3 = S3::start().await;
    let installation = Installation::make().await;
    let settings = s3.settings();
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let key = String::from_utf8(installation.run(&["api-key", "add", "shop"], "").stdout).unwrap();
    let server = installation.serve(&settings);
    add_order(&server, key.trim()).await;
    assert_eq!(send(&server, key.trim(), "k1", pdf()).await.unwrap().0, 200);
    assert_eq!(s3.keys().len(), 1);
    assert!(!installation.folder().join("files").exists());
    let check = || {
        let mut command = installation.command(&["check-files"]);
        let output = command.envs(settings.iter().copied()).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(check(), (true, "All 1 files are there and as they were stored.\n".to_owned()));
    s3.remove(&s3.keys()[0]);
    let (success, output) = check();
    assert!(!success && output.contains("no longer exists"), "{output}");
}
