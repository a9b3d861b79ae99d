//! The files for the portal as one ZIP, read back.

use std::io::{Cursor, Read};

use diesel::prelude::*;
use image::{ImageFormat, ImageReader};
use reqwest::Method;
use serde_json::{Value, json};
use visadesk::db::schema::access_log;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::Team;
use zip::ZipArchive;

use super::filing;
use crate::papers::give_to;
use crate::support::passports::PASSPORTS;
use crate::support::portraits::{Chance, Fault};
use crate::support::sample_files::{pdf, picture};
use crate::support::{Client, TestApp};

/// The names and contents of a downloaded kit.
async fn download(client: &Client<'_>, order: i64) -> Vec<(String, Vec<u8>)> {
    let request = client.request(Method::GET, &format!("/api/admin/filing-kit/{order}")).await;
    let response = request.send().await.expect("the server responds");
    assert_eq!(response.status(), 200);
    let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
    assert_eq!(header("content-type"), "application/zip");
    assert_eq!(header("content-disposition"), format!("attachment; filename=\"{order}-filing-kit.zip\""));
    let bytes = response.bytes().await.expect("the whole kit").to_vec();
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("a ZIP");
    (0..archive.len())
        .map(|index| {
            let mut file = archive.by_index(index).expect("a file");
            let mut content = Vec::new();
            file.read_to_end(&mut content).expect("its checksum is right");
            (file.name().expect("a name in ASCII").into_owned(), content)
        })
        .collect()
}

fn sides(content: &[u8]) -> (Option<ImageFormat>, u32, u32) {
    let reader = ImageReader::new(Cursor::new(content)).with_guessed_format().expect("a picture");
    let format = reader.format();
    let picture = reader.decode().expect("it is whole");
    (format, picture.width(), picture.height())
}

#[tokio::test]
async fn the_kit_has_the_passport_page_as_an_image_the_portals_photograph_and_the_papers() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let (_, photograph) = Fault::FileSize.photograph(&mut Chance::new(5));
    give_to(&test, order, "passport_picture", PASSPORTS[0].pdf()).await;
    give_to(&test, order, "upload_picture", photograph.clone()).await;
    let statement = pdf();
    give_to(&test, order, "bank_statement", statement.clone()).await;
    let listed = filing(&budi, order).await["files"].clone();
    assert_eq!((&listed[1]["name"], &listed[1]["problem"]), (&json!(format!("{order}-photo.png")), &json!("too_big")));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let without = download(&budi, order).await;
    assert_eq!(names(&without), [format!("{order}-passport-page.jpg"), format!("{order}-bank-statement.pdf")]);

    let frame = json!({ "left": 0.1, "top": 0.05, "width": 0.8 });
    let make = json!({ "orderId": order, "documentId": 2, "frame": frame });
    assert_eq!(budi.post("/admin/make-portal-photograph", make).await.status, 200);
    let files = download(&budi, order).await;
    let listed = filing(&budi, order).await["files"].clone();
    let listed: Vec<&str> = listed.as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert_eq!(names(&files), listed);
    assert_eq!(listed[1], format!("{order}-photo-portal.jpg"));
    let (format, width, height) = sides(&files[0].1);
    assert_eq!(format, Some(ImageFormat::Jpeg), "a PDF became an image");
    assert!(width * height > 500_000, "{width} × {height}");
    assert_eq!(sides(&files[1].1), (Some(ImageFormat::Jpeg), 800, 1_200));
    assert_eq!(files[2].1, statement, "a paper stays as it is");

    test.app.audit.access_log.flush().await.expect("the log is written");
    let views = access_log::table.filter(access_log::action.eq("file.view")).filter(access_log::order_id.eq(order));
    let count: i64 = test.read(move |conn| Ok(views.count().get_result(conn)?)).await;
    assert_eq!(count, 5, "each file of both downloads");
}

#[tokio::test]
async fn without_a_file_that_the_portal_takes_there_is_no_kit() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let refused = budi.get(&format!("/admin/filing-kit/{order}")).await;
    assert_eq!((refused.status, &refused.json["code"]), (404, &json!("empty_filing_kit")), "{refused}");
    give_to(&test, order, "passport_picture", picture(ImageFormat::WebP)).await;
    let listed = filing(&budi, order).await["files"][0].clone();
    assert_eq!((&listed["problem"], &listed["max_bytes"]), (&json!("wrong_format"), &Value::Null));
    assert_eq!(budi.get(&format!("/admin/filing-kit/{order}")).await.status, 404);
    assert_eq!(budi.get("/admin/filing-kit/999999").await.json["code"], "order_not_found");
}

#[tokio::test]
async fn a_kit_that_does_not_fit_into_the_memory_for_downloads_is_refused() {
    let test = TestApp::start_with(|config| config.limits.download_bytes_in_flight = 64 * 1024).await;
    let order = test.add_order(New).await;
    give_to(&test, order, "passport_picture", PASSPORTS[0].pdf()).await;
    let refused = test.as_staff(Team, "Budi").get(&format!("/admin/filing-kit/{order}")).await;
    assert_eq!((refused.status, &refused.json["code"]), (413, &json!("filing_kit_too_large")), "{refused}");
}
