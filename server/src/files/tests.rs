use super::*;

fn in_folder(folder: &std::path::Path) -> Files {
    Files::open(&Config { data_dir: folder.into(), ..Config::default() }).unwrap()
}

#[tokio::test]
async fn a_file_reads_back_as_it_was_put() {
    let folder = tempfile::tempdir().unwrap();
    let files = in_folder(folder.path());
    let stored = files.put(Bytes::from_static(b"%PDF-1.7"), Permission::in_background()).await.unwrap();
    assert_eq!(files.get(&stored, Permission::in_background()).await.unwrap(), "%PDF-1.7");
    files.delete(&stored.key).await.unwrap();
    files.delete(&stored.key).await.unwrap();
    assert_eq!(files.get(&stored, Permission::in_background()).await.unwrap_err().code(), "file_not_found");
}

#[test]
fn no_digest_is_computed_on_the_thread_of_a_request() {
    let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).enable_all().build().unwrap();
    // The only blocking thread is busy until freed, so a digest on it cannot end before.
    let busy = || {
        let (free, freed) = std::sync::mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || freed.recv());
        free
    };
    runtime.block_on(async {
        // Storage in memory never waits, so a call that ends at once has computed the digest by itself.
        let files = Files::open(&Config { files_url: "memory:".into(), ..Config::default() }).unwrap();
        let free = busy();
        let mut put = std::pin::pin!(files.put(Bytes::from_static(b"%PDF-1.7"), Permission::in_background()));
        assert!(futures_util::poll!(put.as_mut()).is_pending());
        free.send(()).unwrap();
        let stored = put.await.unwrap();
        let free = busy();
        let mut get = std::pin::pin!(files.get(&stored, Permission::in_background()));
        assert!(futures_util::poll!(get.as_mut()).is_pending());
        free.send(()).unwrap();
        assert_eq!(get.await.unwrap(), "%PDF-1.7");
    });
}

#[tokio::test]
async fn a_file_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let files = in_folder(folder.path());
    let stored = files.put(Bytes::from_static(b"first"), Permission::in_background()).await.unwrap();
    let refused = files
        .put_under(stored.key.clone(), Bytes::from_static(b"second"), Permission::in_background())
        .await
        .unwrap_err();
    assert_eq!(refused.cause().as_deref(), Some("a different file of that name exists"));
    assert_eq!(files.get(&stored, Permission::in_background()).await.unwrap(), "first");
}

#[tokio::test]
async fn a_file_that_changed_on_the_disk_is_not_served() {
    let folder = tempfile::tempdir().unwrap();
    let files = in_folder(folder.path());
    let stored = files.put(Bytes::from_static(b"whole"), Permission::in_background()).await.unwrap();
    std::fs::write(folder.path().join("files").join(&stored.key), b"hole").unwrap();
    assert_eq!(files.get(&stored, Permission::in_background()).await.unwrap_err().code(), "file_damaged");
}

#[test]
fn a_file_that_cannot_be_synced_is_not_stored() {
    // The threads that this one starts inherit the filter; those of other tests do not have it.
    let stored = std::thread::spawn(|| {
        let folder = tempfile::tempdir().unwrap();
        let files = in_folder(folder.path());
        let calls = [libc::SYS_fsync, libc::SYS_fdatasync].map(|call| (call, Vec::new()));
        let failed = seccompiler::SeccompAction::Errno(libc::EIO.unsigned_abs());
        let arch = std::env::consts::ARCH.try_into().unwrap();
        let filter = seccompiler::SeccompFilter::new(
            calls.into_iter().collect(),
            seccompiler::SeccompAction::Allow,
            failed,
            arch,
        );
        let program: seccompiler::BpfProgram = filter.unwrap().try_into().unwrap();
        seccompiler::apply_filter(&program).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime
            .block_on(files.put(Bytes::from_static(b"%PDF-1.7"), Permission::in_background()))
            .map_err(|error| error.code())
    });
    assert_eq!(stored.join().unwrap().unwrap_err(), "file_not_stored");
}

#[tokio::test]
async fn no_name_leads_out_of_the_storage() {
    let files = Files::open(&Config { files_url: "memory:".into(), ..Config::default() }).unwrap();
    for key in ["", "../secret.key", "/etc/passwd", "0123456789ABCDEF0123456789ABCDEF", "a/b"] {
        let refused =
            files.put_under(key.into(), Bytes::new(), Permission::in_background()).await.map_err(|error| error.code());
        assert_eq!(refused, Err("file_not_found"), "{key}");
    }
}

#[tokio::test]
async fn old_files_are_listed_and_what_is_none_of_ours_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let files = in_folder(folder.path());
    let stored = files.put(Bytes::from_static(b"whole"), Permission::in_background()).await.unwrap();
    std::fs::write(folder.path().join("files").join("notes.txt"), b"an operator's").unwrap();
    let unfinished = folder.path().join("files").join(format!("{}#1", stored.key));
    std::fs::write(&unfinished, b"wh").unwrap();
    let now = crate::clock::Clock::default().now();
    let at = async |hours| {
        let before = now + chrono::TimeDelta::hours(hours);
        files.stored_before(before).try_collect::<Vec<String>>().await.unwrap()
    };
    assert_eq!(at(1).await, std::slice::from_ref(&stored.key));
    assert_eq!(at(-1).await, [""; 0]);
    files.remove_unfinished(now - chrono::TimeDelta::hours(1)).await.unwrap();
    assert!(unfinished.exists(), "it may still be being written");
    files.remove_unfinished(now + chrono::TimeDelta::hours(1)).await.unwrap();
    assert!(!unfinished.exists());
}

#[test]
fn an_address_of_no_storage_is_refused_with_a_clear_text() {
    for url in ["s3://", "s3:///prefix", "file://", "ftp://host", "bucket"] {
        let refused = Files::open(&Config { files_url: url.into(), ..Config::default() });
        assert!(refused.unwrap_err().message().starts_with("files_url"), "{url}");
    }
}
