//! What files hold: hostile ones are refused, and pictures tell nothing but what they show.

use std::io::{Cursor, Write};
use std::process::Stdio;

use futures_util::future::join_all;
use image::{GenericImageView, ImageFormat, ImageReader, Rgb, RgbImage};

use serde_json::json;

use super::kills::{add_order, send};
use super::{files, shop_with_order, stored, upload};
use crate::intake::{order, shop_key};
use crate::support::papers::{hostile, pdf, pdf_with, photo, sideways};
use crate::support::program::Installation;
use crate::support::wire::Wire;
use crate::support::{Answer, TestApp};

#[tokio::test]
async fn every_hostile_file_is_refused_with_a_reason_and_leaves_nothing() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    let corpus = hostile();
    assert!(corpus.len() >= 60, "{} files", corpus.len());
    for one in corpus {
        let answer = upload(&shop, "bank_statement", one.content, one.name).await;
        // One that takes too long would be put off with 503.
        assert!(matches!(answer.status, 415 | 422), "{}: {answer}", one.what);
        assert!(answer.message().len() > 30 && answer.json["status"] == 0, "{}: {answer}", one.what);
    }
    assert!(stored(&test).await.is_empty() && files(&test).is_empty());
    assert_eq!(upload(&shop, "bank_statement", pdf(), "good.pdf").await.status, 200, "and the server goes on");
}

#[tokio::test]
async fn what_breaks_over_a_file_is_never_the_server_itself() {
    let installation = Installation::make().await;
    let key = String::from_utf8(installation.run(&["api-key", "add", "shop"], "").stdout).unwrap();
    let server = installation.serve(&[]);
    add_order(&server, key.trim()).await;
    for one in hostile() {
        let (status, text) = send(&server, key.trim(), one.what, one.content).await.expect("the server lives");
        assert!(matches!(status, 415 | 422), "{}: {text}", one.what);
    }
    assert_eq!(send(&server, key.trim(), "good", pdf()).await.unwrap().0, 200);
    let peak = server.peak_memory_kib() / 1024;
    assert!(peak < 300, "{peak} MB");
}

#[tokio::test]
async fn a_refusal_says_what_to_do() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    let corpus = hostile();
    for (what, says) in [
        ("SVG as PNG", "Only PDF or image files are allowed"),
        ("half a JPEG", "Only PDF or image files are allowed"),
        ("HEIC", "please save or share it as JPEG"),
        ("an action at opening", "(/OpenAction), which are not taken. Please print it to a new PDF"),
        ("a locked PDF", "protected by a password"),
        ("a PDF of a thousand pages", "more than 200 pages"),
        ("a PNG of 100,000 by 100,000", "at most 50 megapixels, and 12000 pixels on a side"),
        ("a GIF of 50,000 pictures", "Moving pictures are not taken"),
    ] {
        let one = corpus.iter().find(|one| one.what == what).unwrap();
        let answer = upload(&shop, "bank_statement", one.content.clone(), one.name).await;
        assert!(answer.message().contains(says), "{what}: {answer}");
    }
}

#[tokio::test]
async fn what_a_reader_opens_without_acting_is_taken() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    let link = "<</Type/Annot/Subtype/Link/A<</S/URI/URI(https://pages.example/JavaScript)>>>>";
    for (catalogue, more) in [("/OpenAction[3 0 R/XYZ null null 0]", &[][..]), ("", &[link])] {
        let answer = upload(&shop, "bank_statement", pdf_with(catalogue, more), "x.pdf").await;
        assert_eq!(answer.status, 200, "{catalogue}: {answer}");
    }
}

#[tokio::test]
async fn a_photo_is_kept_upright_and_tells_nothing_of_where_it_was_taken() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    assert_eq!(upload(&shop, "upload_picture", photo(), "me.jpg").await.status, 200);
    let name = files(&test).pop().unwrap();
    let kept = std::fs::read(test.app.config.data_dir.join("files").join(name)).unwrap();
    for word in ["Exif", "GPS", "xmp", "-6.2088", "106.8456", "thumbnail", "Jakarta", "film"] {
        assert!(!kept.windows(word.len()).any(|window| window == word.as_bytes()), "{word}");
    }
    let shown = image::load_from_memory_with_format(&kept, ImageFormat::Jpeg).unwrap();
    assert_eq!(shown.dimensions(), (20, 40), "it lay on its side");
    let dark = |y| shown.get_pixel(10, y).0[0] < 60;
    assert!(dark(5) && !dark(35), "the dark half is at the top");
}

#[tokio::test]
async fn a_photo_of_a_telephone_is_turned_within_the_time_and_memory_of_a_check() {
    let waves = |x: u32, y: u32| Rgb([x / 9 + y / 7, x / 31, y / 17].map(|wave| wave.to_le_bytes()[0]));
    let mut jpeg = Cursor::new(Vec::new());
    RgbImage::from_fn(4_032, 3_024, waves).write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
    let photo = sideways(&jpeg.into_inner());
    // The child by itself: it limits its memory and its processor time, however busy the machine is with other tests.
    let installation = Installation::make_empty().await;
    let mut child = installation.command(&["inspect-file"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writing = std::thread::spawn(move || input.write_all(&photo));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    writing.join().unwrap().unwrap();
    let picture = output.stdout.strip_prefix(b"\"Changed\"\n").expect("a picture that was turned");
    let size = ImageReader::with_format(Cursor::new(picture), ImageFormat::Jpeg).into_dimensions().unwrap();
    assert_eq!(size, (3_024, 4_032));
}

#[tokio::test]
async fn uploads_in_memory_have_a_cap_in_all() {
    let test = TestApp::start_with(|config| config.limits.uploads_at_once = 2).await;
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
    // Two that are not whole yet take both places.
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut wire = Wire::open(test.address).await;
        assert!(wire.send(&head).await && wire.send(&body).await);
        wire.until_read().await;
        held.push(wire);
    }
    let put_off = upload(&shop, "bank_statement", pdf(), "x.pdf").await;
    assert_eq!(put_off.status, 503, "{put_off}");
    assert_eq!(put_off.json["code"], "uploads_busy");
    assert_ne!(put_off.header("retry-after"), "");
    // One that waits is taken as soon as a place is free.
    let waiting = upload(&shop, "bank_statement", pdf(), "x.pdf");
    let ending = async {
        let mut wire = held.pop().unwrap();
        assert!(wire.send(end).await);
        assert_eq!(wire.answer().await.map(|(status, _)| status), Some(200));
    };
    let (waited, ()) = tokio::join!(waiting, ending);
    assert_eq!(waited.status, 200, "{waited}");
    // A client that goes away leaves its place.
    drop(held);
    let answers = join_all((0..2).map(|_| upload(&shop, "bank_statement", pdf(), "x.pdf"))).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
}

#[tokio::test]
async fn a_crowd_of_uploads_is_taken_in_turn_and_the_rest_put_off() {
    let test = TestApp::start_with(|config| config.limits.files_per_order = 200).await;
    let shop = shop_with_order(&test).await;
    let answers: Vec<Answer> = join_all((0..80).map(|_| upload(&shop, "bank_statement", pdf(), "x.pdf"))).await;
    let taken = answers.iter().filter(|answer| answer.status == 200).count();
    for put_off in answers.iter().filter(|answer| answer.status != 200) {
        assert!(put_off.status == 503 && put_off.message().contains("nothing was saved"), "{put_off}");
        assert_ne!(put_off.header("retry-after"), "");
    }
    assert!(taken >= 2, "somebody was taken");
    assert_eq!((stored(&test).await.len(), files(&test).len()), (taken, taken));
}
