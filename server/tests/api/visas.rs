use visadesk::staff::rules::StaffType::{Team, Telecaller};

use crate::support::TestApp;

#[tokio::test]
async fn the_catalogue_has_an_etag_and_is_not_sent_again_unchanged() {
    let test = TestApp::start().await;
    let first = test.as_staff(Team, "Budi").get("/visa-catalogue").await;
    assert_eq!((first.status, first.json["status"].as_u64()), (200, Some(1)));
    let purposes = first.data()["purposes"].as_array().unwrap();
    assert_eq!(purposes.len(), 8);
    assert_eq!(purposes[0]["sub_purposes"][0]["visa_types"][0]["code"], "A1");
    assert_eq!(first.data()["documents"]["parents_guarantee"]["label"], "Guarantee from parents");

    let sari = test.as_staff(Telecaller, "Sari").with_header("if-none-match", first.header("etag"));
    let again = sari.get("/visa-catalogue").await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
}

#[tokio::test]
async fn the_catalogue_requires_a_staff_session() {
    let test = TestApp::start().await;
    assert_eq!(test.anonymous().get("/visa-catalogue").await.status, 401);
}
