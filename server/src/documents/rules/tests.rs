use super::*;

fn encoded(format: image::ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    image::DynamicImage::new_rgb8(8, 8).write_to(&mut std::io::Cursor::new(&mut bytes), format).unwrap();
    bytes
}

const PDF: &[u8] = b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";

#[test]
fn each_accepted_type_is_known_by_its_content() {
    let known = |content: &[u8]| MediaType::of(content).map(MediaType::extension);
    assert_eq!(known(PDF), Ok("pdf"));
    assert_eq!(known(&[b"\xef\xbb\xbf", PDF].concat()), Ok("pdf"), "behind a byte order mark");
    for (format, extension) in [
        (image::ImageFormat::Png, "png"),
        (image::ImageFormat::Jpeg, "jpg"),
        (image::ImageFormat::WebP, "webp"),
        (image::ImageFormat::Gif, "gif"),
    ] {
        assert_eq!(known(&encoded(format)), Ok(extension));
    }
}

#[test]
fn everything_else_is_refused() {
    let zip = b"PK\x03\x04rest PK\x05\x06and so on".to_vec();
    let refused: Vec<(&str, Vec<u8>)> = vec![
        ("empty", vec![]),
        ("one byte", vec![0xff]),
        ("html", b"<!doctype html><script>1</script>".to_vec()),
        ("html behind a PDF mark", b"%PDF-1.7<html><script>1</script></html>%%EOF".to_vec()),
        ("PDF behind 1,100 bytes", [&[b' '; 1_100], PDF].concat()),
        ("zip", zip.clone()),
        ("PNG sent as text", b"\x89PNG\n\x1a\n\0\0\0\rIHDR".to_vec()),
        ("film", b"\0\0\0\x18ftypmp42\0\0\0\0".to_vec()),
        ("text that begins like a bitmap", b"BMI 22.4, weight 70 kg".to_vec()),
        ("page with a drawing", b"<html><svg></svg></html>".to_vec()),
        ("Word", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec()),
        ("PostScript", b"%!PS-Adobe-3.0\n%%EOF".to_vec()),
        ("program", b"\x7fELF\x02\x01\x01".to_vec()),
        ("text", b"GIF or JPEG, who knows".to_vec()),
    ];
    for (what, content) in refused {
        assert_eq!(MediaType::of(&content), Err(DocumentError::NotPdfOrImage), "{what}");
    }
    for photo in [&b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"[..], b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic"] {
        assert_eq!(MediaType::of(photo), Err(DocumentError::HeicPhoto));
    }
    assert!(DocumentError::HeicPhoto.to_string().contains("as JPEG"));
}

#[test]
fn other_pictures_are_refused_as_pictures() {
    for (what, content) in [
        ("AVIF", &b"\0\0\0\x1cftypavif\0\0\0\0"[..]),
        ("AVIF by its second brand", b"\0\0\0\x1cftypmif1\0\0\0\0mif1avif"),
        ("BMP", b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"),
        ("TIFF", b"II*\0\x08\0\0\0"),
        ("JPEG XL", b"\xff\x0a\xfa\x1f"),
        ("JPEG 2000", b"\0\0\0\x0cjP  \r\n\x87\n"),
        ("SVG", b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>"),
        ("SVG with a declaration", b"\xef\xbb\xbf\n<?xml version='1.0'?><!-- a drawing --><svg/>"),
    ] {
        assert_eq!(MediaType::of(content), Err(DocumentError::UnsupportedPicture), "{what}");
    }
}

#[test]
fn a_picture_is_known_by_its_beginning_whatever_is_behind_it() {
    let zip = b"PK\x03\x04rest PK\x05\x06and so on".to_vec();
    for format in [image::ImageFormat::Png, image::ImageFormat::Jpeg, image::ImageFormat::WebP, image::ImageFormat::Gif]
    {
        let content = encoded(format);
        for content in [[content.clone(), zip.clone()].concat(), content[..content.len() / 2].to_vec()] {
            assert!(MediaType::of(&content).is_ok(), "{format:?}");
        }
    }
}

#[test]
fn a_shown_name_is_plain_text_with_our_extension() {
    for (given, shown) in [
        ("passport.PDF", "passport.pdf"),
        ("../../etc/passwd", "passwd.pdf"),
        ("C:\\temp\\scan.jpeg.exe", "scan.jpeg.pdf"),
        ("a\r\nSet-Cookie: x.pdf", "a Set-Cookie x.pdf"),
        ("\u{202e}fdp.exe", "fdp.pdf"),
        ("\"; filename=evil.html", "\" filename=evil.pdf"),
        ("my \"new\" passport.jpg", "my \"new\" passport.pdf"),
        ("..%2Fpasswd", "..%2Fpasswd.pdf"),
        ("100% of Dr. Lee", "100% of Dr. Lee.pdf"),
        ("паспорт.png", "паспорт.pdf"),
        ("...", "document.pdf"),
        ("", "document.pdf"),
    ] {
        assert_eq!(shown_name(given, MediaType::Pdf), shown, "{given}");
    }
    assert_eq!(shown_name(&"x".repeat(4_000), MediaType::Webp).chars().count(), 150);
}

#[test]
fn an_applicant_gives_pictures_and_documents_of_the_catalogue() {
    for kind in ["passport_picture", "upload_picture", "bank_statement", "birth_or_family_certificate"] {
        assert!(applicants_kind(kind).is_ok(), "{kind}");
    }
    for kind in ["visa", "", "Bank_statement", "../bank_statement"] {
        assert_eq!(applicants_kind(kind), Err(DocumentError::UnknownDocumentKind), "{kind}");
    }
}

#[test]
fn a_visa_type_asks_for_its_documents_and_pictures_answer_two_of_them() {
    let asked = |code| needed_documents(code).iter().map(|one| (one.kind, one.required)).collect::<Vec<_>>();
    assert_eq!(
        asked("C1"),
        [
            ("passport_picture", true),
            ("bank_statement", true),
            ("upload_picture", true),
            ("guarantor_letter", false),
            ("return_onward_ticket", false),
            ("re_entry_permit", false),
        ]
    );
    assert_eq!(asked("A2"), asked("A1"), "a retired code asks for what its successor does");
    let funds = |code| needed_documents(code).iter().find_map(|one| one.min_funds_usd);
    assert_eq!([funds("C1"), funds("D12"), funds("A1")], [Some(2_000), Some(5_000), None]);
    assert!(needed_documents("C1").iter().all(|one| one.required == one.when.is_none()));
    assert_eq!(asked("none"), []);
    let labels = ["passport_picture", "upload_picture", "bank_statement", "an_old_kind"].map(label_of);
    assert_eq!(labels, ["Travel document", "Photo", "Bank statement (minimum USD 2000)", "an old kind"]);
}

#[test]
fn the_quota_counts_files_and_bytes() {
    let limits = crate::config::Config::default().limits;
    let mega = 1024 * 1024;
    let outcome = |files, bytes, more| check_quota(Usage { files, bytes }, more, &limits).is_ok();
    assert!(outcome(49, 0, mega) && outcome(0, 180 * mega, 20 * mega));
    assert!(!outcome(50, 0, 1) && !outcome(0, 180 * mega, 20 * mega + 1));
}

#[test]
fn a_member_uploads_only_so_many_files_a_day() {
    let limits = crate::config::Config::default().limits;
    assert!(check_member(Permission::in_background(), 1_999, &limits).is_ok());
    assert!(matches!(
        check_member(Permission::in_background(), 2_000, &limits),
        Err(DocumentError::TooManyUploadsInDay(2_000))
    ));
}

proptest::proptest! {
    #[test]
    fn any_name_and_content_is_read_without_a_panic(name in ".*", content in proptest::collection::vec(0u8.., 0..200)) {
        let _ = MediaType::of(&content);
        let shown = shown_name(&name, MediaType::Png);
        proptest::prop_assert!(shown.ends_with(".png") && !shown.contains(['/', '\\', '\n', '\r']));
    }
}
