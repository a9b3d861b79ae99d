//! Files for uploads, built from bytes: valid ones and hostile ones.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

/// A PDF of these objects, numbered from 1. The first is the catalogue.
pub fn pdf_of(objects: &[&str]) -> Vec<u8> {
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

/// A PDF with one page, these entries in its catalogue, and these objects from number 4.
pub fn pdf_with(catalogue: &str, more: &[&str]) -> Vec<u8> {
    let catalogue = format!("<</Type/Catalog/Pages 2 0 R{catalogue}>>");
    let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>";
    pdf_of(&[&[&catalogue, "<</Type/Pages/Kids[3 0 R]/Count 1>>", page], more].concat())
}

/// A PDF with one empty page.
pub fn pdf() -> Vec<u8> {
    pdf_with("", &[])
}

/// A PDF with these pages, each given by the entries of its dictionary and its content, and these objects from number 3.
pub fn pdf_of_pages(pages: &[(&str, &str)], more: &[&str]) -> Vec<u8> {
    let first = more.len() + 3;
    let numbers: Vec<String> = (0..pages.len()).map(|index| format!("{} 0 R", first + 2 * index)).collect();
    let tree = format!("<</Type/Pages/Kids[{}]/Count {}>>", numbers.join(" "), pages.len());
    let mut objects = vec!["<</Type/Catalog/Pages 2 0 R>>".to_owned(), tree];
    objects.extend(more.iter().map(|&object| object.to_owned()));
    for (index, (entries, content)) in pages.iter().enumerate() {
        objects.push(format!("<</Type/Page/Parent 2 0 R/Contents {} 0 R{entries}>>", first + 2 * index + 1));
        objects.push(stream("", content));
    }
    pdf_of(&objects.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A stream object.
pub fn stream(entries: &str, content: &str) -> String {
    format!("<<{entries}/Length {}>>\nstream\n{content}\nendstream", content.len())
}

/// A picture whose left half is dark.
pub fn picture(format: ImageFormat) -> Vec<u8> {
    let halves = RgbImage::from_fn(40, 20, |x, _| Rgb([if x < 20 { 10 } else { 240 }; 3]));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(halves).write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

/// A rotated photo as a phone stores it: with its location, a thumbnail, a comment, and a video after the picture.
pub fn photo() -> Vec<u8> {
    let metadata = [
        segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>GPSLongitude 106.8456</x:xmpmeta>"),
        segment(0xe0, b"JFXX\0\x10a thumbnail"),
        segment(0xfe, b"taken in Jakarta"),
    ];
    let sideways = sideways(&picture(ImageFormat::Jpeg));
    [&sideways[..2], &metadata.concat(), &sideways[2..], b"\0\0\0\x18ftypmp42 a film of two seconds"].concat()
}

/// Adds Exif data to a JPEG: its rotation and its location.
pub fn sideways(jpeg: &[u8]) -> Vec<u8> {
    let entries = [&[0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0][..], &[0x25, 0x88, 4, 0, 1, 0, 0, 0, 0x26, 0, 0, 0]];
    let exif = [b"Exif\0\0II*\0\x08\0\0\0\x02\0", &entries.concat()[..], b"\0\0\0\0GPSLatitude -6.2088"].concat();
    [&jpeg[..2], &segment(0xe1, &exif), &jpeg[2..]].concat()
}

/// A JPEG segment.
fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).expect("a short segment").to_be_bytes();
    [&[0xff, marker][..], &length, content].concat()
}

/// A file that the server must reject.
pub struct Hostile {
    pub what: &'static str,
    pub name: &'static str,
    pub content: Vec<u8>,
}

/// At least sixty hostile files, one for each kind of attack.
pub fn hostile() -> Vec<Hostile> {
    let mut all = Vec::new();
    let mut add = |what, name, content: Vec<u8>| all.push(Hostile { what, name, content });
    markup(&mut add);
    other_kinds(&mut add);
    polyglots(&mut add);
    broken(&mut add);
    active(&mut add);
    bombs(&mut add);
    all
}

type Add<'a> = dyn FnMut(&'static str, &'static str, Vec<u8>) + 'a;

const SVG: &[u8] =
    b"<svg xmlns='http://www.w3.org/2000/svg' onload='window.__xss=1'><script>window.__xss=1</script></svg>";
pub const HTML: &[u8] = b"<!doctype html><html><script>window.__xss=1</script></html>";

fn markup(add: &mut Add<'_>) {
    add("SVG", "a.svg", SVG.to_vec());
    add("SVG as PNG", "a.png", SVG.to_vec());
    add("SVG as PDF", "a.pdf", SVG.to_vec());
    add("SVG with a declaration", "a.svg", [b"<?xml version='1.0'?>", SVG].concat());
    add("SVG in UTF-16", "a.svg", SVG.iter().flat_map(|byte| [*byte, 0]).collect());
    add("HTML", "a.html", HTML.to_vec());
    add("HTML as JPEG", "a.jpg", HTML.to_vec());
    add("HTML behind a PDF's mark", "a.pdf", [b"%PDF-1.7\n", HTML, b"\n%%EOF"].concat());
    add("HTML behind a GIF's mark", "a.gif", [b"GIF89a", HTML, b";"].concat());
    add(
        "XML",
        "a.pdf",
        b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>".to_vec(),
    );
    add("a script", "a.js", b"window.__xss=1".to_vec());
    add("MHTML", "a.mht", b"MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<script>1</script>".to_vec());
}

fn other_kinds(add: &mut Add<'_>) {
    add("HEIC", "photo.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec());
    add("HEIF", "photo.heif", b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic".to_vec());
    add("AVIF", "a.avif", b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf".to_vec());
    add("BMP", "a.bmp", b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec());
    add("TIFF", "a.tif", b"II*\0\x08\0\0\0\0\0".to_vec());
    add("an icon", "a.ico", b"\0\0\x01\0\x01\0\x10\x10\0\0".to_vec());
    add("Photoshop", "a.psd", b"8BPS\0\x01\0\0\0\0\0\0".to_vec());
    add("JPEG XL", "a.jxl", b"\xff\x0a\xfa\x1f\x01\x91".to_vec());
    add("JPEG 2000", "a.jp2", b"\0\0\0\x0cjP  \r\n\x87\n".to_vec());
    add("a film", "a.mp4", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom".to_vec());
    add("Word", "a.docx", zip());
    add("old Word", "a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec());
    add("PostScript", "a.ps", b"%!PS-Adobe-3.0\n/x {1} def\n%%EOF".to_vec());
    add("a program", "a.pdf", b"\x7fELF\x02\x01\x01\0".to_vec());
    add("a program of Windows", "a.pdf", b"MZ\x90\0\x03\0\0\0".to_vec());
    add("RAR", "a.rar", b"Rar!\x1a\x07\x01\0".to_vec());
    add("gzip", "a.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec());
    add("plain text", "a.pdf", b"I am a PDF, believe me".to_vec());
}

/// An empty archive with a few bytes before it.
pub fn zip() -> Vec<u8> {
    [&b"PK\x03\x04 content PK\x05\x06"[..], &[0; 18]].concat()
}

/// A valid PNG whose first pixels, which are not packed, are an archive.
fn png_of_archive() -> Vec<u8> {
    let mut png = img_parts::png::Png::from_bytes(picture(ImageFormat::Png).into()).expect("a PNG");
    let mut rows = vec![0; 20 * (1 + 3 * 40)];
    rows[1..=zip().len()].copy_from_slice(&zip());
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(&rows).expect("memory");
    let data = encoder.finish().expect("memory").into();
    png.chunks_mut().retain(|chunk| chunk.kind() != *b"IDAT");
    png.chunks_mut().insert(1, img_parts::png::PngChunk::new(*b"IDAT", data));
    png.encoder().bytes().to_vec()
}

fn polyglots(add: &mut Add<'_>) {
    let behind = |content: Vec<u8>| [content, zip()].concat();
    add("a ZIP behind a PDF", "a.pdf", behind(pdf()));
    add("a ZIP before a picture", "a.jpg", [zip(), picture(ImageFormat::Jpeg)].concat());
    add("a ZIP as the pixels of a PNG", "a.png", png_of_archive());
    add("a picture behind a line", "a.jpg", [b"\r\n".to_vec(), picture(ImageFormat::Jpeg)].concat());
    add("a PDF in a page", "a.pdf", [HTML.to_vec(), pdf()].concat());
}

fn broken(add: &mut Add<'_>) {
    let half = |content: Vec<u8>| content[..content.len() / 2].to_vec();
    add("nothing", "a.pdf", vec![]);
    add("one byte", "a.pdf", vec![0x25]);
    add("half a PDF", "a.pdf", half(pdf()));
    add("half a JPEG", "a.jpg", half(picture(ImageFormat::Jpeg)));
    add("half a PNG", "a.png", half(picture(ImageFormat::Png)));
    add("half a WEBP", "a.webp", half(picture(ImageFormat::WebP)));
    add("half a GIF", "a.gif", half(picture(ImageFormat::Gif)));
    add("a PDF's mark alone", "a.pdf", b"%PDF-1.7\n%%EOF".to_vec());
    let jpeg = picture(ImageFormat::Jpeg);
    add("a JPEG without its picture", "a.jpg", [&jpeg[..40], &[0xff, 0xd9]].concat());
    let mut png = picture(ImageFormat::Png);
    let middle = png.len() / 2;
    png[middle] ^= 0xff;
    add("a PNG whose sums are wrong", "a.png", png);
    add("a GIF without a picture", "a.gif", b"GIF89a\x01\0\x01\0\0\0\0;".to_vec());
}

fn active(add: &mut Add<'_>) {
    for (what, catalogue) in [
        ("a script by name", "/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(app.alert\\(1\\))>>]>>>>"),
        ("a script", "/Extra<</JS(app.alert\\(1\\))>>"),
        ("a script at opening", "/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>"),
        ("an action at opening", "/OpenAction<</S/URI/URI(http://x.example)>>"),
        ("a form that is sent", "/Extra<</S/SubmitForm/F(http://x.example)>>"),
        ("a link to another file", "/Extra<</S/GoToR/F(x)/D[0/Fit]>>"),
        ("a film within", "/Extra<</Type/Annot/Subtype/RichMedia>>"),
        ("a file that belongs to it", "/AF[4 0 R]"),
        ("a program to start", "/Extra<</S/Launch/F(cmd.exe)>>"),
        ("files within", "/Names<</EmbeddedFiles<</Names[(a)4 0 R]>>>>"),
        ("a file within", "/Extra<</Type/EmbeddedFile>>"),
        ("more actions", "/AA<</WC<</S/URI/URI(http://x.example)>>>>"),
        ("a form of XML", "/AcroForm<</XFA(<xdp/>)>>"),
        ("a script in other letters", "/Extra<</S/Java#53cript>>"),
        ("a short script in other letters", "/Extra<</#4A#53(1)>>"),
        ("an opening in other letters", "/#4fpen#41ction<</S/Named>>"),
    ] {
        add(what, "a.pdf", pdf_with(catalogue, &[]));
    }
    let hidden = stream("/Type/ObjStm/N 1/First 4", "5 0 <</S/X/JS(1)>>");
    add("a script in an object stream", "a.pdf", pdf_with("", &[&hidden]));
    let packed = stream("/Type/ObjStm/N 1/First 4/Filter/ASCIIHexDecode", &hex::encode("5 0 <</S/X/JS(1)>>"));
    add("a script in a packed object stream", "a.pdf", pdf_with("", &[&packed]));
    let locked = String::from_utf8(pdf_with("", &["<</Filter/Standard/V 1/R 2/O(x)/U(y)/P -4>>"])).expect("text");
    add("a locked PDF", "a.pdf", locked.replace("/Root", "/Encrypt 4 0 R/ID[(a)(b)]/Root").into_bytes());
}

fn bombs(add: &mut Add<'_>) {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    add("a PDF nested 10,000 deep", "a.pdf", pdf_with("", &[&deep]));
    let dictionaries = format!("{}1{}", "<</A".repeat(5_000), ">>".repeat(5_000));
    add("dictionaries nested 5,000 deep", "a.pdf", pdf_with("", &[&dictionaries]));
    let mut bomb = lopdf::Stream::new(lopdf::Dictionary::new(), vec![b' '; 66 << 20]);
    bomb.compress().expect("it packs");
    let bomb = stream("/Filter[/ASCIIHexDecode/FlateDecode]", &hex::encode(&bomb.content));
    add("a PDF that grows a thousandfold", "a.pdf", pdf_with("", &[&bomb]));
    let kids: Vec<String> = (3..1_003).map(|number| format!("{number} 0 R")).collect();
    let tree = format!("<</Type/Pages/Kids[{}]/Count 1000>>", kids.join(" "));
    let mut pages = vec!["<</Type/Catalog/Pages 2 0 R>>", &tree];
    pages.resize(1_002, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>");
    add("a PDF of a thousand pages", "a.pdf", pdf_of(&pages));
    let mut huge = img_parts::png::Png::from_bytes(picture(ImageFormat::Png).into()).expect("a PNG");
    let mut head = huge.chunks()[0].contents().to_vec();
    head[..8].copy_from_slice(&[0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0]);
    huge.chunks_mut()[0] = img_parts::png::PngChunk::new(*b"IHDR", head.into());
    add("a PNG of 100,000 by 100,000", "a.png", huge.encoder().bytes().to_vec());
    let frames = b"\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0".repeat(50_000);
    let head = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff";
    add("a GIF of 50,000 pictures", "a.gif", [head, &frames[..], &[0x3b]].concat());
    let mut wide = picture(ImageFormat::Gif);
    wide[6..10].copy_from_slice(&[0xff; 4]);
    add("a GIF of 65,535 by 65,535", "a.gif", wide);
}
