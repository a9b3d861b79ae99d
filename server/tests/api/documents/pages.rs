//! Images of the pages of a PDF: for the link of the file, to its viewer, noted once.

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use image::{DynamicImage, ImageFormat};
use insta::assert_snapshot;
use reqwest::Method;
use reqwest::header::IF_NONE_MATCH;
use visadesk::db::schema::{access_log, documents};
use visadesk::documents::links::{self, Viewer};
use visadesk::error::Permission;
use visadesk::staff::rules::StaffType::{Admin, Team};

use super::{shop_with_order, upload};
use crate::support::sample_files::{pdf, pdf_of_pages, picture, stream};
use crate::support::{Answer, Client, TestApp};

const A4: &str = "/MediaBox[0 0 595 842]";

/// A test with order 100001, whose passport is this PDF, stored without an inspection.
pub async fn with_pdf(content: Vec<u8>) -> TestApp {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    assert_eq!(upload(&shop, "passport_picture", pdf(), "passport.pdf").await.status, 200);
    replace(&test, content).await;
    test
}

/// Replaces the file of the order.
pub async fn replace(test: &TestApp, content: Vec<u8>) {
    let stored = test.app.documents.files.put(content.into(), Permission::in_background()).await.unwrap();
    let change = move |tx: &mut visadesk::db::Conn| {
        let columns = (
            documents::file1.eq(&stored.key),
            documents::size_bytes.eq(stored.size_bytes),
            documents::sha256.eq(&stored.sha256),
        );
        Ok(diesel::update(documents::table).set(columns).execute(tx)?)
    };
    assert_eq!(test.write(change).await, 1);
}

/// The link of the order's only document.
pub async fn link(client: &Client<'_>) -> String {
    let details = client.get("/admin/get-orders-details/100001").await;
    details.data()["documents"][0]["link"].as_str().unwrap().to_owned()
}

/// The address of a page: `size/page`.
pub fn page_of(link: &str, page: &str) -> String {
    let (path, query) = link.split_once('?').unwrap();
    format!("/{path}/pages/{page}?{query}")
}

/// Fetches the image of a page.
async fn image_of(client: &Client<'_>, link: &str, page: &str) -> DynamicImage {
    let response = client.request(Method::GET, &page_of(link, page)).await.send().await.unwrap();
    assert_eq!(response.status(), 200, "{page}");
    image::load_from_memory(&response.bytes().await.unwrap()).unwrap()
}

/// The number of dark pixels.
fn ink(image: &DynamicImage) -> usize {
    image.to_luma8().pixels().filter(|pixel| pixel.0[0] < 128).count()
}

#[tokio::test]
async fn each_page_of_a_pdf_is_an_image_that_the_browser_keeps_while_its_link_is_valid() {
    let filled = |colour: &str| format!("{colour} rg 0 0 595 842 re f");
    let colours = ["1 0 0", "0 1 0", "0 0 1"].map(filled);
    let pages: Vec<_> = colours.iter().map(|content| (A4, content.as_str())).collect();
    let test = with_pdf(pdf_of_pages(&pages, &[])).await;
    let budi = test.as_staff(Team, "Budi");
    let link = link(&budi).await;
    for (page, colour) in [("screen/1", [255, 0, 0]), ("screen/2", [0, 255, 0]), ("screen/3", [0, 0, 255])] {
        let image = image_of(&budi, &link, page).await.into_rgb8();
        assert_eq!(image.dimensions(), (1_189, 1_682), "two megapixels");
        assert_eq!(image.get_pixel(600, 900).0, colour, "{page}");
    }
    assert_eq!(image_of(&budi, &link, "fine/2").await.into_rgb8().dimensions(), (2_912, 4_121), "twelve megapixels");
    let shown = budi.page(&page_of(&link, "screen/2")).await;
    for (name, value) in [
        ("content-type", "image/png"),
        ("x-pages", "3"),
        ("content-security-policy", "sandbox; default-src 'none'; frame-ancestors 'none'"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("x-robots-tag", "noindex"),
    ] {
        assert_eq!(shown.header(name), value, "{name}");
    }
    let kept_for = |shown: &Answer| {
        let seconds = shown.header("cache-control").strip_prefix("private, max-age=").unwrap().to_owned();
        seconds.strip_suffix(", immutable").unwrap().parse::<i64>().unwrap()
    };
    assert!((180..=300).contains(&kept_for(&shown)), "{shown}");
    let known = |tag: &str| {
        let (address, tag) = (page_of(&link, "screen/2"), tag.to_owned());
        let budi = &budi;
        async move { budi.send(budi.request(Method::GET, &address).await.header(IF_NONE_MATCH, tag)).await }
    };
    let kept = known(shown.header("etag")).await;
    assert_eq!((kept.status, kept.text.len(), kept.header("etag")), (304, 0, shown.header("etag")));
    let other = budi.page(&page_of(&link, "fine/2")).await;
    assert_ne!(other.header("etag"), shown.header("etag"));
    assert_eq!(known(other.header("etag")).await.status, 200, "the tag of another size");
    test.later(TimeDelta::seconds(kept_for(&shown) - 60));
    let later = budi.page(&page_of(&link, "screen/2")).await;
    assert!((0..=60).contains(&kept_for(&later)), "{later}");
}

#[tokio::test]
async fn a_page_opens_only_for_the_viewer_of_the_file_and_while_its_link_is_valid() {
    let test = with_pdf(pdf_of_pages(&[(A4, ""), (A4, "")], &[])).await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Admin, "Made"));
    let link = link(&budi).await;
    let not_found = test.anonymous().page("/uploads/nothing").await;
    for other in [&made, &test.anonymous(), &test.with_token("nonsense")] {
        let answer = other.page(&page_of(&link, "screen/1")).await;
        assert_eq!((answer.status, &answer.text), (404, &not_found.text));
    }
    let (path, query) = link.split_once('?').unwrap();
    let other_digit = if query.ends_with('0') { '1' } else { '0' };
    for address in [
        page_of(&link, "screen/0"),
        page_of(&link, "screen/01"),
        page_of(&link, "screen/+1"),
        page_of(&link, "screen/-1"),
        page_of(&link, "screen/201"),
        page_of(&link, "screen/99999999999999999999"),
        page_of(&link, "screen/1.png"),
        page_of(&link, "huge/1"),
        page_of(&link, "/1"),
        format!("/{path}/pages/screen/1"),
        format!("/{path}/pages/screen/1?{query}&w=9"),
        format!("/{path}/pages/screen/1?{}{other_digit}", &query[..query.len() - 1]),
        format!("/{}/pages/screen/1?{query}", path.replace(".pdf", ".png")),
        format!("/{path}/pages/screen/pages/screen/1?{query}"),
    ] {
        let answer = budi.page(&address).await;
        let is_app = answer.header("content-type").starts_with("text/html");
        assert!(answer.status == 404 || is_app, "{address}: {answer}");
    }
    let beyond = budi.page(&page_of(&link, "screen/3")).await;
    assert_snapshot!(beyond, @r#"404 {"status":0,"code":"no_such_page","message":"This PDF has only 2 pages"}"#);
    let path = path.to_owned();
    let visitors = links::sign(&test.app.kit.secret, &path, &Viewer::Visitor("x".into()), test.clock.now());
    assert_eq!(budi.page(&page_of(&visitors, "screen/1")).await.status, 404, "a link of an applicant");
    assert_eq!(budi.page(&page_of(&link, "screen/1")).await.status, 200);
    test.later(TimeDelta::minutes(6));
    assert_eq!(budi.page(&page_of(&link, "screen/1")).await.status, 404, "after six minutes");
}

#[tokio::test]
async fn a_picture_has_no_pages() {
    let test = TestApp::start().await;
    let shop = shop_with_order(&test).await;
    upload(&shop, "passport_picture", picture(ImageFormat::Png), "passport.png").await;
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(budi.page(&page_of(&link(&budi).await, "screen/1")).await.status, 404);
}

/// The views of files that were noted, by the ids of their viewers.
async fn views(test: &TestApp) -> Vec<i64> {
    test.app.audit.access_log.flush().await.unwrap();
    let views = access_log::table.filter(access_log::action.eq("file.view")).order(access_log::access_id);
    test.read(move |conn| Ok(views.select(access_log::staff_id).load(conn)?)).await
}

#[tokio::test]
async fn a_file_that_is_read_page_by_page_is_noted_once_for_each_link() {
    let test = with_pdf(pdf_of_pages(&[(A4, ""), (A4, ""), (A4, "")], &[])).await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Admin, "Made"));
    let first = link(&budi).await;
    let pages = ["screen/1", "screen/2", "screen/3", "fine/1"].map(|page| page_of(&first, page));
    let answers: Vec<Answer> = join_all(pages.iter().map(|page| budi.page(page))).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
    assert_eq!(views(&test).await, [budi.id().await]);
    let page = page_of(&link(&made).await, "screen/2");
    made.page(&page).await;
    test.later(TimeDelta::seconds(2));
    let again = page_of(&link(&budi).await, "screen/2");
    budi.page(&again).await;
    assert_eq!(views(&test).await, [budi.id().await, made.id().await, budi.id().await]);
}

#[tokio::test]
async fn a_page_counts_towards_the_budget_and_is_not_shown_beyond_it() {
    let test = TestApp::start_with(|config| {
        config.access.stop_at_budget = true;
        config.access.rows_per_hour.team = 2;
    })
    .await;
    test.begin_hour();
    let shop = shop_with_order(&test).await;
    upload(&shop, "passport_picture", pdf(), "passport.pdf").await;
    let budi = test.as_staff(Team, "Budi");
    let first = link(&budi).await;
    assert_eq!(budi.page(&page_of(&first, "screen/1")).await.status, 200);
    assert_eq!(budi.page(&format!("/{first}")).await.json["code"], "row_budget_reached", "the file itself");
    assert_eq!(budi.page(&page_of(&first, "fine/1")).await.status, 200, "noted already");
    let putu = test.as_staff(Team, "Putu");
    link(&putu).await;
    let second = link(&putu).await;
    assert_eq!(putu.page(&page_of(&second, "screen/1")).await.json["code"], "row_budget_reached");
}

#[tokio::test]
async fn a_page_that_cannot_be_read_says_to_open_the_file() {
    let test = with_pdf(pdf()).await;
    let budi = test.as_staff(Team, "Budi");
    let locked = String::from_utf8(pdf()).unwrap();
    let locked = locked.replace("/Root", "/Encrypt<</Filter/Standard/V 1/R 2/O(x)/U(y)/P -4>>/ID[(a)(b)]/Root");
    for (what, content) in [
        ("damaged", b"%PDF-1.7\nnothing of it is left\n%%EOF".to_vec()),
        ("no PDF", b"a text".to_vec()),
        ("empty", b"%PDF-1.7\n%%EOF".to_vec()),
        ("locked", locked.into_bytes()),
        ("without pages", pdf_of_pages(&[], &[])),
    ] {
        replace(&test, content).await;
        let answer = budi.page(&page_of(&link(&budi).await, "screen/1")).await;
        assert_eq!((answer.status, &answer.json["code"]), (422, &"unreadable_pdf".into()), "{what}: {answer}");
        assert!(answer.message().ends_with("Please open the file itself"), "{answer}");
    }
}

#[tokio::test]
async fn a_page_of_any_size_becomes_an_image_of_at_most_two_megapixels() {
    let test = with_pdf(pdf()).await;
    let budi = test.as_staff(Team, "Budi");
    for (entries, size) in [
        ("/MediaBox[0 0 14400 14400]", (1_414, 1_414)),
        ("/MediaBox[0 0 9000000 9000000]", (1_414, 1_414)),
        ("/MediaBox[0 0 100 1000000]", (1, 4_000)),
        ("/MediaBox[0 0 72 36]", (300, 150)),
        ("/MediaBox[0 0 595 842]/Rotate 90", (1_682, 1_189)),
        ("/MediaBox[0 0 595 842]/CropBox[0 0 72 72]", (300, 300)),
        ("/MediaBox[0 0 0 0]", (1_189, 1_682)),
        ("", (1_189, 1_682)),
    ] {
        replace(&test, pdf_of_pages(&[(entries, "0 0 9 9 re f")], &[])).await;
        let image = image_of(&budi, &link(&budi).await, "screen/1").await;
        let (width, height) = (image.width(), image.height());
        let is_near = width.abs_diff(size.0) <= 2 && height.abs_diff(size.1) <= 2;
        assert!(is_near, "{entries}: {width} by {height}");
    }
}

#[tokio::test]
async fn the_last_of_two_hundred_pages_is_shown() {
    let test = with_pdf(pdf_of_pages(&[(A4, "0 0 595 421 re f"); 200], &[])).await;
    let budi = test.as_staff(Team, "Budi");
    let shown = budi.page(&page_of(&link(&budi).await, "screen/200")).await;
    assert_eq!((shown.status, shown.header("x-pages")), (200, "200"));
}

#[tokio::test]
async fn text_is_drawn_also_if_its_font_is_not_in_the_file() {
    let test = with_pdf(pdf()).await;
    let budi = test.as_staff(Team, "Budi");
    let simple = |name: &str| format!("<</Type/Font/Subtype/TrueType/BaseFont/{name}>>");
    let han = "<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[<</Type/Font\
               /Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 4>>\
               /DW 1000>>]>>";
    let mut blank = usize::MAX;
    for (what, font, text) in [
        ("nothing", simple("Helvetica"), "()"),
        ("a standard font", simple("Helvetica"), "(Passport)"),
        ("a font of Windows", simple("Calibri"), "(Passport)"),
        ("a font of nowhere", simple("ABCDEF+Nowhere-Bold"), "(Passport)"),
        ("Han", han.to_owned(), "<4E2D56FD>"),
    ] {
        let content = format!("BT /F1 60 Tf 50 400 Td {text} Tj ET");
        let page = (format!("{A4}/Resources<</Font<</F1 3 0 R>>>>"), content);
        replace(&test, pdf_of_pages(&[(&page.0, &page.1)], &[&font])).await;
        let drawn = ink(&image_of(&budi, &link(&budi).await, "screen/1").await);
        assert!(drawn > blank || blank == usize::MAX, "{what}: {drawn}");
        if what == "nothing" {
            blank = drawn + 1_000;
        }
    }
}

#[tokio::test]
async fn a_scan_is_a_jpeg_and_small() {
    // Paper: nearly one shade, as many pixels as the image has.
    let noise = hex::encode((0..1_189 * 1_682).map(|_| 180 + rand::random::<u8>() % 16).collect::<Vec<_>>());
    let scan = "/Type/XObject/Subtype/Image/Width 1189/Height 1682/ColorSpace/DeviceGray/BitsPerComponent 8\
                /Filter/ASCIIHexDecode";
    let page = format!("{A4}/Resources<</XObject<</I 3 0 R>>>>");
    let content = pdf_of_pages(&[(&page, "595 0 0 842 0 0 cm /I Do")], &[&stream(scan, &noise)]);
    let test = with_pdf(content).await;
    let budi = test.as_staff(Team, "Budi");
    let address = page_of(&link(&budi).await, "screen/1");
    let response = budi.request(Method::GET, &address).await.send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "image/jpeg");
    let content = response.bytes().await.unwrap();
    assert!(image::load_from_memory_with_format(&content, ImageFormat::Jpeg).is_ok());
}
