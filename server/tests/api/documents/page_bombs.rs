//! PDFs that would exhaust the memory or the time of the server if it rendered them itself.

use std::pin::pin;

use futures_util::StreamExt;
use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;
use visadesk::staff::rules::StaffType::Team;

use super::pages::{link, page_of, replace, with_pdf};
use crate::support::PATIENCE;
use crate::support::sample_files::{pdf, pdf_of, pdf_of_pages, stream};

/// Each form draws the next one ten times.
fn forms_in_forms() -> Vec<u8> {
    let form = |next: usize| {
        let entries = format!("/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</X {next} 0 R>>>>");
        stream(&entries, &"/X Do ".repeat(10))
    };
    let mut forms: Vec<String> = (4..24).map(form).collect();
    forms.push(stream("/Type/XObject/Subtype/Form/BBox[0 0 99 99]", "0 0 9 9 re f"));
    let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
    pdf_of_pages(&[("/MediaBox[0 0 99 99]/Resources<</XObject<</X 3 0 R>>>>", "/X Do")], &forms)
}

/// A stream whose content is this text, repeated to `bytes`, packed.
fn packed(entries: &str, text: &[u8], bytes: usize) -> String {
    let mut packed = lopdf::Stream::new(lopdf::Dictionary::new(), text.repeat(bytes / text.len()));
    packed.compress().expect("it packs");
    stream(&format!("{entries}/Filter[/ASCIIHexDecode/FlateDecode]"), &hex::encode(&packed.content))
}

fn drawing(resources: &str, content: &str, more: &[&str]) -> Vec<u8> {
    pdf_of_pages(&[(&format!("/MediaBox[0 0 99 99]/Resources<<{resources}>>"), content)], more)
}

pub fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let picture = "/Type/XObject/Subtype/Image/Width 30000/Height 30000/ColorSpace/DeviceRGB/BitsPerComponent 8";
    let itself =
        stream("/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</X 3 0 R>>>>", "/X Do 0 0 9 9 re f");
    let tile = stream(
        "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep .00001/YStep .00001/Resources<<>>",
        "0 0 1 1 re f",
    );
    let function = "<</FunctionType 3/Domain[0 1]/Functions[3 0 R 3 0 R]/Bounds[.5]/Encode[0 1 0 1]>>";
    let shading = "/Shading<</S<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 99 99]/Function 3 0 R>>>>";
    let deep = format!("{}{} TJ", "[".repeat(2_000_000), "]".repeat(2_000_000));
    let kids = "<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>";
    vec![
        ("forms in forms", forms_in_forms()),
        ("a form that draws itself", drawing("/XObject<</X 3 0 R>>", "/X Do", &[&itself])),
        (
            "a picture of 2.7 GB",
            drawing("/XObject<</X 3 0 R>>", "99 0 0 99 0 0 cm /X Do", &[&packed(picture, b"\0", 30_000 * 30_000 / 8)]),
        ),
        (
            "a pattern of countless tiles",
            drawing("/Pattern<</P 3 0 R>>", "/Pattern cs /P scn 0 0 99 99 re f", &[&tile]),
        ),
        ("a function of itself", drawing(shading, "/S sh", &[function])),
        ("arrays nested two million deep", drawing("", &deep, &[])),
        ("states that are never restored", drawing("", &"q ".repeat(6_000_000), &[])),
        ("a path of millions of lines", drawing("", &format!("0 0 m {} S", "9 9 l 0 7 l ".repeat(1_500_000)), &[])),
        ("a tree of pages in itself", pdf_of(&["<</Type/Catalog/Pages 2 0 R>>", kids])),
    ]
}

#[tokio::test]
async fn a_bomb_ends_in_a_refusal_and_the_next_file_is_shown() {
    let test = with_pdf(pdf()).await;
    let budi = test.as_staff(Team, "Budi");
    let mut refused = Vec::new();
    for (what, content) in bombs() {
        replace(&test, content).await;
        let rendered =
            tokio::time::timeout(PATIENCE, async { budi.page(&page_of(&link(&budi).await, "fine/1")).await });
        let answer = rendered.await.unwrap_or_else(|_| panic!("{what} has no end"));
        // A renderer may also see through it.
        assert!(matches!(answer.status, 200 | 422), "{what}: {answer}");
        if answer.status == 422 {
            assert!(answer.message().ends_with("Please open the file itself"), "{what}: {answer}");
            refused.push(what);
        }
    }
    assert!(refused.contains(&"forms in forms"), "{refused:?}");
    replace(&test, pdf()).await;
    assert_eq!(budi.page(&page_of(&link(&budi).await, "screen/1")).await.status, 200);
}

#[tokio::test]
async fn while_bombs_are_rendered_other_calls_go_on_and_too_many_pages_are_refused_at_once() {
    let test = with_pdf(forms_in_forms()).await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Team, "Made"));
    made.session().await;
    let page = page_of(&link(&budi).await, "screen/1");
    // Two run, each for five seconds of a processor, and thirty wait.
    let mut pages: FuturesUnordered<_> = (0..36).map(|_| budi.page(&page)).collect();
    for _ in 0..4 {
        let busy = pages.next().await.unwrap();
        assert_eq!((busy.status, &busy.json["code"]), (503, &"pages_busy".into()), "{busy}");
        assert_eq!(busy.header("retry-after"), "1");
    }
    let other_calls = async {
        for _ in 0..10 {
            assert_eq!(made.get("/user_info").await.status, 200);
        }
    };
    let is_first = matches!(select(pin!(other_calls), pages.next()).await, Either::Left(_));
    assert!(is_first, "the other calls are answered before a bomb has ended");
}
