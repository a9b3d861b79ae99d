//! The content of files: hostile files are rejected, and pictures lose their metadata.

use std::io::{Cursor, Write};
use std::process::Stdio;

use futures_util::future::join_all;
use image::{GenericImageView, ImageFormat, ImageReader, Rgb, RgbImage};

use serde_json::json;

use super::kills::{add_order, send};
use super::{files, shop_with_order, stored, upload};
use crate::intake::{order, shop_key};
use crate::support::program::Installation;
use crate::support::sample_files::{HTML, hostile, pdf, pdf_with, photo, picture, sideways, zip};
use crate::support::wire::Wire;
use crate::support::{Answer, TestApp};

#[tokio::test]
async fn every_hostile_file_is_rejected_with_a_reason_and_nothing_is_stored() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    let corpus = hostile();
    assert!(corpus.len() >= 60, "{} files", corpus.len());
    for file in corpus {
        let answer = upload(&shop, "bank_statement", file.content, file.name).await;
        // A timeout would return 503.
        assert!(matches!(answer.status, 415 | 422), "{}: {answer}", file.what);
        assert!(answer.message().len() > 30 && answer.json["status"] == 0, "{}: {answer}", file.what);
    }
    assert!(stored(&test).await.is_empty() && files(&test).is_empty());
    assert_eq!(
        upload(&shop, "bank_statement", pdf(), "good.pdf").await.status,
        200,
        "the server still accepts valid files"
    );
}

#[tokio::test]
async fn no_hostile_file_crashes_the_server_or_exhausts_its_memory() {
    let installation = Installation::make().await;
    let key = String::from_utf8(installation.run(&["api-key", "add", "shop"], "").stdout).unwrap();
    let server = installation.serve(&[]);
    add_order(&server, key.trim()).await;
    for file in hostile() {
        let (status, text) = send(&server, key.trim(), file.what, file.content).await.expect("the server responds");
        assert!(matches!(status, 415 | 422), "{}: {text}", file.what);
    }
    assert_eq!(send(&server, key.trim(), "good", pdf()).await.unwrap().0, 200);
    let peak = server.peak_memory_kib() / 1024;
    assert!(peak < 300, "{peak} MB");
}

#[tokio::test]
async fn an_error_says_what_to_do() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    let corpus = hostile();
    for (what, expected) in [
        (
            "HTML as JPEG",
            "Only PDF or image files are allowed. Please take a photo of the document, or print it to a new PDF",
        ),
        ("SVG as PNG", "Please save or share it as JPEG"),
        ("half a JPEG", "Please upload it again"),
        ("nothing", "Please choose it again"),
        ("HEIC", "please save or share it as JPEG"),
        ("an action at opening", "(/OpenAction), which are not taken. Please print it to a new PDF"),
        ("a locked PDF", "protected by a password"),
        ("a PDF of a thousand pages", "more than 200 pages"),
        ("a PNG of 100,000 by 100,000", "at most 50 megapixels, and 12000 pixels on a side"),
        ("a GIF of 50,000 pictures", "Animated pictures are not accepted"),
    ] {
        let one = corpus.iter().find(|one| one.what == what).unwrap();
        let answer = upload(&shop, "bank_statement", one.content.clone(), one.name).await;
        assert!(answer.message().contains(expected), "{what}: {answer}");
    }
}

#[tokio::test]
async fn a_pdf_with_links_but_no_actions_is_accepted() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    let link = "<</Type/Annot/Subtype/Link/A<</S/URI/URI(https://pages.example/JavaScript)>>>>";
    for (catalogue, more) in [("/OpenAction[3 0 R/XYZ null null 0]", &[][..]), ("", &[link])] {
        let answer = upload(&shop, "bank_statement", pdf_with(catalogue, more), "x.pdf").await;
        assert_eq!(answer.status, 200, "{catalogue}: {answer}");
    }
}

#[tokio::test]
async fn a_photo_is_stored_upright_and_without_its_location() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    assert_eq!(upload(&shop, "upload_picture", photo(), "me.jpg").await.status, 200);
    let name = files(&test).pop().unwrap();
    let stored = std::fs::read(test.app.config.data_dir.join("files").join(name)).unwrap();
    for word in ["Exif", "GPS", "xmp", "-6.2088", "106.8456", "thumbnail", "Jakarta", "film"] {
        assert!(!stored.windows(word.len()).any(|window| window == word.as_bytes()), "{word}");
    }
    let shown = image::load_from_memory_with_format(&stored, ImageFormat::Jpeg).unwrap();
    assert_eq!(shown.dimensions(), (20, 40), "the picture is rotated upright");
    let dark = |y| shown.get_pixel(10, y).0[0] < 60;
    assert!(dark(5) && !dark(35), "the dark half is at the top");
}

#[tokio::test]
async fn nothing_behind_a_picture_is_stored() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    for (format, name) in [
        (ImageFormat::Jpeg, "a.jpg"),
        (ImageFormat::Png, "a.png"),
        (ImageFormat::WebP, "a.webp"),
        (ImageFormat::Gif, "a.gif"),
    ] {
        for behind in [zip(), HTML.to_vec(), pdf(), [&zip()[..], b"\xff\xd9;"].concat()] {
            let content = [picture(format), behind].concat();
            assert_eq!(upload(&shop, "bank_statement", content, name).await.status, 200, "{name}");
        }
    }
    for name in files(&test) {
        let stored = std::fs::read(test.app.config.data_dir.join("files").join(name)).unwrap();
        for word in [&b"PK"[..], b"<html", b"%PDF"] {
            assert!(!stored.windows(word.len()).any(|window| window == word), "{word:?}");
        }
    }
}

#[tokio::test]
async fn a_phone_photo_is_rotated_within_the_limits_of_the_child_process() {
    let waves = |x: u32, y: u32| Rgb([x / 9 + y / 7, x / 31, y / 17].map(|wave| wave.to_le_bytes()[0]));
    let mut jpeg = Cursor::new(Vec::new());
    RgbImage::from_fn(4_032, 3_024, waves).write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
    let photo = sideways(&jpeg.into_inner());
    // Runs only the child process, which limits its own memory and processor time, so that other tests do not matter.
    let installation = Installation::make_empty().await;
    let mut child = installation.command(&["inspect-file"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writing = std::thread::spawn(move || input.write_all(&photo));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    writing.join().unwrap().unwrap();
    let picture = output.stdout.strip_prefix(b"\"Changed\"\n").expect("a rotated picture");
    let size = ImageReader::with_format(Cursor::new(picture), ImageFormat::Jpeg).into_dimensions().unwrap();
    assert_eq!(size, (3_024, 4_032));
}

#[tokio::test]
async fn the_number_of_uploads_in_memory_is_limited() {
    // Half of them are the most for one caller.
    let test = TestApp::start_with(|config| config.limits.uploads_at_once = 4).await;
    let api_key = shop_key(&test).await;
    let shop = test.with_api_key(&api_key);
    assert_eq!(shop.post("/intake/orders", order(json!({}))).await.data()["order_id"], 100_001);
    let part = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.pdf\"\r\n\r\n";
    let (body, end) = ([&part[..], &pdf()].concat(), b"\r\n--x--\r\n");
    let head = format!(
        "POST /api/intake/orders/100001/documents/bank_statement HTTP/1.1\r\nhost: desk\r\nx-api-key: {}\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: {}\r\n\r\n",
        api_key,
        body.len() + end.len()
    );
    // Two incomplete uploads take both permits of their caller.
    let mut incomplete = Vec::new();
    for _ in 0..2 {
        let mut wire = Wire::open(test.address).await;
        assert!(wire.send(&head).await && wire.send(&body).await);
        wire.until_read().await;
        incomplete.push(wire);
    }
    let busy = upload(&shop, "bank_statement", pdf(), "x.pdf").await;
    assert_eq!(busy.status, 503, "{busy}");
    assert_eq!(busy.json["code"], "uploads_busy");
    assert_ne!(busy.header("retry-after"), "");
    // A waiting upload is accepted as soon as a permit is free.
    let waiting = upload(&shop, "bank_statement", pdf(), "x.pdf");
    let ending = async {
        let mut wire = incomplete.pop().unwrap();
        assert!(wire.send(end).await);
        assert_eq!(wire.answer().await.map(|(status, _)| status), Some(200));
    };
    let (waited, ()) = tokio::join!(waiting, ending);
    assert_eq!(waited.status, 200, "{waited}");
    // A closed connection releases its permit.
    drop(incomplete);
    let answers = join_all((0..2).map(|_| upload(&shop, "bank_statement", pdf(), "x.pdf"))).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
}

#[tokio::test]
async fn excess_concurrent_uploads_get_503_and_the_others_are_stored() {
    let test = TestApp::start_with(|config| config.limits.files_per_order = 200).await;
    let shop = shop_with_order(&test).await;
    let answers: Vec<Answer> = join_all((0..80).map(|_| upload(&shop, "bank_statement", pdf(), "x.pdf"))).await;
    let accepted = answers.iter().filter(|answer| answer.status == 200).count();
    for busy in answers.iter().filter(|answer| answer.status != 200) {
        assert!(busy.status == 503 && busy.message().contains("nothing was saved"), "{busy}");
        assert_ne!(busy.header("retry-after"), "");
    }
    assert!(accepted >= 2, "some uploads are accepted");
    assert_eq!((stored(&test).await.len(), files(&test).len()), (accepted, accepted));
}
