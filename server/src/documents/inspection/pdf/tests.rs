use lopdf::Dictionary;

use super::*;

/// A document of these objects, numbered from 1, of which the first is the catalogue.
fn document(objects: &[&str]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in (1..).zip(objects) {
        table += &format!("{:010} 00000 n \n", bytes.len());
        bytes.extend(format!("{number} 0 obj\n{object}\nendobj\n").bytes());
    }
    let (start, size) = (bytes.len(), objects.len() + 1);
    bytes.extend(format!("{table}trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").bytes());
    bytes
}

const PAGES: &str = "<</Type/Pages/Kids[3 0 R]/Count 1>>";
const PAGE: &str = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>";

/// A document of one page, with this in its catalogue and these objects from number 4.
fn with(catalogue: &str, more: &[&str]) -> Vec<u8> {
    let catalogue = format!("<</Type/Catalog/Pages 2 0 R{catalogue}>>");
    document(&[&[&catalogue, PAGES, PAGE], more].concat())
}

fn stream(entries: &str, content: &str) -> String {
    format!("<<{entries}/Length {}>>\nstream\n{content}\nendstream", content.len())
}

fn refusal(catalogue: &str, more: &[&str]) -> Option<Refusal> {
    check(&with(catalogue, more).into()).err()
}

fn acts(name: &str) -> Option<Refusal> {
    Some(Refusal::Active(name.into()))
}

#[test]
fn a_plain_document_is_taken() {
    assert_eq!(refusal("", &[]), None);
    assert_eq!(refusal("/Metadata 4 0 R", &[&stream("/Type/Metadata", "<x:xmpmeta/>")]), None);
}

#[test]
fn each_way_to_act_is_refused() {
    for (catalogue, name) in [
        ("/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(app.alert\\(1\\))>>]>>>>", "JavaScript"),
        ("/Extra<</JS(1)>>", "JS"),
        ("/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next<</S/URI/URI(http://x.example)>>>>", "OpenAction"),
        ("/OpenAction<</S/URI/URI(http://x.example)>>", "OpenAction"),
        ("/OpenAction[3 0 R<</S/Named>>]", "OpenAction"),
        ("/OpenAction 1", "OpenAction"),
        ("/Extra<</S/SubmitForm/F(http://x.example)>>", "SubmitForm"),
        ("/Extra<</S/ImportData/F(x)>>", "ImportData"),
        ("/Extra<</S/GoToR/F(x)/D[0/Fit]>>", "GoToR"),
        ("/Extra<</S/GoToE/T<</R/C>>>>", "GoToE"),
        ("/Extra<</S/Hide/T(x)>>", "Hide"),
        ("/Extra<</S/Nam#65d/N/Print>>", "Named"),
        ("/Extra<</S/Rendition/OP 0>>", "Rendition"),
        ("/Extra<</S/Sound>>", "Sound"),
        ("/Extra<</S/Movie>>", "Movie"),
        ("/Extra<</S/Thread/D 0>>", "Thread"),
        ("/Extra<</S/ResetForm>>", "ResetForm"),
        ("/Extra<</S/SetOCGState/State[]>>", "SetOCGState"),
        ("/Extra<</S/Trans>>", "Trans"),
        ("/Extra<</S/GoTo3DView>>", "GoTo3DView"),
        ("/Extra<</Type/Annot/Subtype/RichMedia>>", "RichMedia"),
        ("/Extra<</Type/Filespec/F(x)/EF<</F 4 0 R>>>>", "EF"),
        ("/AF[4 0 R]", "AF"),
        ("/Extra<</S/Launch/F(x)>>", "Launch"),
        ("/Names<</EmbeddedFiles<</Kids[<<>><</Kids[<</Names[(a)4 0 R]>>]>>]>>>>", "EmbeddedFiles"),
        ("/Extra<</Type/EmbeddedFile>>", "EmbeddedFile"),
        ("/AA<</O<</S/URI/URI(http://x.example)>>>>", "AA"),
        ("/AcroForm<</XFA(x)>>", "XFA"),
        ("/Extra<</S/Java#53cript>>", "JavaScript"),
        ("/Extra<</#4a#53(1)>>", "JS"),
        ("/Open#41ction<</S/Named>>", "OpenAction"),
        ("/Extra[[[[<</J#53(1)>>]]]]", "JS"),
        ("/Extra<</A<</S/URI/URI(javascript:app.alert\\(1\\))>>>>", "JavaScript"),
        ("/Extra<</A<</S/GoTo/D[3 0 R/Fit]/Next[<</S/URI/URI(http://x.example)/Next<</S/Other>>>>]>>>>", "Other"),
        ("/Extra<</Type/StructElem/A<</S/Launch/Type/StructElem>>>>", "Launch"),
        ("/AA<</O<</S/Other/Next<</Type/StructElem/S/JavaScript>>>>>>", "AA"),
    ] {
        assert_eq!(refusal(catalogue, &[]), acts(name), "{catalogue}");
    }
    assert_eq!(refusal("/OpenAction 4 0 R", &["<</S/GoTo>>"]), acts("OpenAction"));
    assert_eq!(refusal("", &["<</S 5 0 R>>", "/Named"]), acts("Named"), "by reference");
    let in_objects = stream("/Type/ObjStm/N 1/First 4", "5 0 <</JS(1)>>");
    assert_eq!(refusal("", &[&in_objects]), acts("JS"), "in an object stream");
}

#[test]
fn an_object_that_no_table_names_is_found() {
    let plain = String::from_utf8(with("", &[])).unwrap();
    let (objects, table) = plain.split_at(plain.find("xref").unwrap());
    let hidden = "9 0 obj<</AA<</O<</S/JavaScript/JS(1)>>>>>>endobj\n";
    // The table stays valid, so that only a search finds the object.
    let moved = table
        .replace(&format!("startxref\n{}", objects.len()), &format!("startxref\n{}", objects.len() + hidden.len()));
    let hidden = [objects, hidden, &moved].concat().into_bytes();
    assert_eq!(load(&hidden, false).unwrap().objects.len(), 3);
    assert_eq!(check(&hidden.into()), Err(Refusal::Active("AA".into())));
}

#[test]
fn what_has_no_effect_is_taken() {
    assert_eq!(refusal("/OpenAction[3 0 R/XYZ null null 0]", &[]), None);
    assert_eq!(refusal("/OpenAction 4 0 R", &["[3 0 R/FitH null]"]), None);
    assert_eq!(refusal("/OpenAction<</Type/Action/S/GoTo/D[3 0 R/Fit]>>", &[]), None);
    assert_eq!(refusal("/OpenAction 4 0 R", &["<</S/GoTo/D(chapter 1)>>"]), None);
    assert_eq!(refusal("/OpenAction(chapter 1)", &[]), None);
    let within = "<</Type/Annot/Subtype/Link/A<</S/GoTo/D[3 0 R/Fit]>>>>";
    assert_eq!(refusal("", &[within, "<</Type/Group/S/Transparency>>", "<</Type/StructElem/S/Launch>>"]), None);
    let link = "<</Type/Annot/Subtype/Link/A<</S/URI/URI(https://pages.example/JavaScript)>>>>";
    assert_eq!(refusal("", &[link]), None);
    assert_eq!(refusal("", &["<</Differences[65/A/AA/JS]>>"]), None, "letters may be called so");
    assert_eq!(refusal("/Names<</JavaScript<<>>/EmbeddedFiles<</Kids[4 0 R]>>>>/AA<<>>", &["<</Names[]>>"]), None);
    assert_eq!(refusal("", &[&stream("", "BT (/JavaScript /Launch) Tj ET")]), None, "a text about them");
    assert_eq!(refusal("/Extra<</XObject<</JS 4 0 R/EF 4 0 R>>/AA<</LW 1>>>>", &[&stream("", "q Q")]), None);
    let font = "<</Type/Font/Subtype/TrueType/FontDescriptor<</Type/FontDescriptor/Flags 32>>>>";
    assert_eq!(refusal("/Extra<</Font<</AA 4 0 R/A 4 0 R/EF 4 0 R>>>>", &[font]), None, "a font");
    assert_eq!(refusal("/Extra<</AA<</SMask<</S/Luminosity/G 4 0 R>>>>>>", &[&stream("", "q Q")]), None, "a mask");
}

#[test]
fn actions_and_trees_that_lead_round_in_circles_come_to_an_end() {
    let circle = ["<</S/GoTo/D[3 0 R/Fit]/Next 5 0 R>>", "<</S/GoTo/D[3 0 R/Fit]/Next[4 0 R 5 0 R]>>"];
    assert_eq!(refusal("/OpenAction 4 0 R", &circle), None);
    assert_eq!(refusal("/Names<</JavaScript 4 0 R>>", &["<</Kids[4 0 R 4 0 R]>>"]), None);
}

#[test]
fn a_page_behind_is_cut_off_unless_the_document_is_signed() {
    let plain = with("", &[]);
    let behind = |content: &[u8]| check(&[content, b"<!doctype html><p>sold out</p>"].concat().into());
    assert_eq!(behind(&plain), Ok(plain.clone().into()));
    let signed = with("/Extra<</Type/Sig/ByteRange[0 1 2 3]>>", &[]);
    assert_eq!(behind(&signed), Err(Refusal::Unreadable));
    assert_eq!(check(&signed.clone().into()), Ok(signed.into()));
}

#[test]
fn an_archive_in_the_same_file_is_refused() {
    let directory = [&b"PK\x01\x02"[..], &[0; 42]].concat();
    let end = [&b"PK\x05\x06"[..], &[0; 8], &46_u32.to_le_bytes(), &[0; 6]].concat();
    let archive = [directory, end.clone()].concat();
    let within = |content: &[u8]| {
        let mut file = with("", &[]);
        let at = file.windows(4).position(|four| four == b"xref").unwrap();
        file.splice(at..at, content.iter().copied());
        check(&file.into()).err()
    };
    assert_eq!(within(&archive), Some(Refusal::Unreadable));
    assert_eq!(within(&end), None, "bytes of a picture");
    assert_eq!(check(&[with("", &[]), end].concat().into()), Err(Refusal::Unreadable));
}

#[test]
fn what_was_cut_off_or_has_two_documents_is_damaged() {
    let whole = with("", &["(a text)"]);
    let at = |word: &[u8]| whole.windows(word.len()).position(|window| window == word).unwrap();
    for length in [at(b"4 0 obj") + 5, at(b"xref"), at(b"endobj")] {
        assert_eq!(check(&whole[..length].to_vec().into()), Err(Refusal::DamagedPdf), "{length}");
    }
    assert_eq!(
        check(&whole[..at(b"startxref")].to_vec().into()).err(),
        None,
        "only what a reader can do without is missing"
    );
    assert_eq!(check(&[&whole[..], &whole].concat().into()), Err(Refusal::DamagedPdf));
}

#[test]
fn a_locked_document_is_refused_as_such() {
    let plain = String::from_utf8(with("", &["<</Filter/Standard/V 1/R 2/O(x)/U(y)/P -4>>"])).unwrap();
    let locked = plain.replace("/Root 1 0 R", "/Root 1 0 R/Encrypt 4 0 R/ID[(a)(b)]");
    assert_eq!(check(&locked.clone().into()), Err(Refusal::Encrypted));
    let of_another_maker = locked.replace("/Standard", "/Own.Maker");
    assert_eq!(check(&of_another_maker.into()), Err(Refusal::UnknownProtection));
}

#[test]
fn two_hundred_pages_are_taken_and_no_more() {
    let pages = |count: usize| {
        let kids: Vec<String> = (0..count).map(|number| format!("{} 0 R", number + 3)).collect();
        let tree = format!("<</Type/Pages/Kids[{}]/Count {count}>>", kids.join(" "));
        let mut objects = vec!["<</Type/Catalog/Pages 2 0 R>>", &tree];
        objects.resize(count + 2, PAGE);
        check(&document(&objects).into()).err()
    };
    assert_eq!(pages(200), None);
    assert_eq!(pages(201), Some(Refusal::TooManyPages));
    assert_eq!(pages(0), Some(Refusal::NoPages));
}

#[test]
fn what_grows_beyond_measure_is_refused() {
    let bomb = |entries: &str| {
        let mut stream = Stream::new(Dictionary::new(), vec![b' '; 66 * 1024 * 1024]);
        stream.compress().unwrap();
        let hexadecimal = hex::encode(&stream.content);
        super::tests::stream(&format!("{entries}/Filter[/ASCIIHexDecode/FlateDecode]"), &hexadecimal)
    };
    assert_eq!(refusal("", &[&bomb("")]), Some(Refusal::Inflates));
    assert_eq!(refusal("", &[&bomb("/Type/ObjStm/N 1/First 4")]), Some(Refusal::Inflates));
    assert_eq!(refusal("", &[&bomb("/Subtype/Image")]), None, "a scanned page of 22 megapixels");
}

#[test]
fn what_nests_beyond_measure_is_refused() {
    for (open, close) in [("[", "]"), ("<</A", ">>")] {
        let nested = |deep: usize| refusal("", &[&format!("{}1{}", open.repeat(deep), close.repeat(deep))]);
        assert_eq!(nested(20), None, "{open}");
        assert_eq!(nested(10_000), Some(Refusal::Inflates), "{open}");
    }
}

#[test]
fn what_is_no_pdf_inside_is_refused() {
    for content in [&b"%PDF-1.7\n%%EOF"[..], b"%PDF-1.7\nhello\n%%EOF", b"%PDF-1.7\nxref\n0 1\nstartxref\n9\n%%EOF"] {
        assert_eq!(
            check(&Bytes::from_static(content)),
            Err(Refusal::DamagedPdf),
            "{}",
            String::from_utf8_lossy(content)
        );
    }
}

#[test]
fn a_file_that_lost_its_table_is_read_like_any_reader_reads_it() {
    let whole = String::from_utf8(with("", &[])).unwrap();
    let (objects, _) = whole.split_once("xref\n").unwrap();
    assert_eq!(check(&format!("{objects}trailer<</Root 1 0 R>>\n%%EOF\n").into()).err(), None);
}
