#!/usr/bin/env python3
"""Writes the input files of the cases in the folders 11 to 17, 36 and 37.

    pip install pikepdf==10.18.0 pypdf==7.1.1 cryptography==50.0.2 Pillow==13.0.0 openpyxl==3.1.5 \\
        msoffcrypto-tool==6.1.0 pillow-heif==1.8.1 xlwt==1.3.0
    python3 make_files.py

Run with Python 3.11 and these versions, it writes the same bytes each time: ids, dates and random numbers are fixed. Most PDFs and
spreadsheets are put together by hand, because a library would not write what is tested. `files(...)` at the end of each part maps the
name of a file to its content; the case beside it (TOML, written by hand) has the expected reading.
"""

import base64
import datetime
import io
import itertools
import random
import re
import secrets
import struct
import zipfile
import zlib
from hashlib import md5
from pathlib import Path

import msoffcrypto.format.ooxml
import openpyxl
import pikepdf
import pillow_heif
import pypdf
import xlwt
from msoffcrypto.method.container import ecma376_encrypted
from PIL import Image, ImageChops

HERE = Path(__file__).parent


def files(folder, contents):
    """Writes the files of one folder."""
    (HERE / folder).mkdir(exist_ok=True)
    for name, content in contents.items():
        (HERE / folder / name).write_bytes(content)


# ---------------------------------------------------------------------------------------------------------------------------------
# Writing PDFs
# ---------------------------------------------------------------------------------------------------------------------------------


def raw(value):
    return value if isinstance(value, bytes) else value.encode("latin-1")


def stream(data, entries="", packed=False):
    """A stream object."""
    data = raw(data)
    if packed:
        data, entries = zlib.compress(data, 9), entries + "/Filter/FlateDecode"
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (raw(entries), len(data), data)


def text(words, size=14):
    """The content of a page with one line of text."""
    return b"BT /F1 %d Tf 72 720 Td (%s) Tj ET" % (size, raw(words))


def one_page(content="Statement of account, Ann Lee, balance USD 5,200.00", catalogue="", page="", resources="", more=(), **options):
    """The objects of a document of one page. `more` are the objects from number 6."""
    content = options.get("stream", stream(text(content), packed=options.get("packed", False)))
    objects = [
        "<</Type/Catalog/Pages 2 0 R%s>>" % catalogue,
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>%s>>%s>>" % (resources, page),
        content,
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        *more,
    ]
    return {number: raw(content) for number, content in enumerate(objects, 1)}


def table(offsets, entry=b"%010d %05d %c \n"):
    """A cross-reference table of these offsets, from object 0."""
    rows = [b"xref\n0 %d\n" % (max(offsets) + 1)]
    for number in range(max(offsets) + 1):
        row = (0, 65535, b"f") if number not in offsets else (offsets[number], 0, b"n")
        rows.append(entry % row)
    return b"".join(rows)


def write(objects, version="1.7", trailer="", root=1, hidden=(), entry=b"%010d %05d %c \n", eof=b"%%EOF\n", start=None, first=b""):
    """A PDF with a table. Objects in `hidden` are in the file but not in the table."""
    out = b"%PDF-" + raw(version) + b"\n" + first
    offsets = {}
    for number, content in objects.items():
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, raw(content))
    at = len(out)
    known = {number: offset for number, offset in offsets.items() if number not in hidden}
    out += table(known, entry)
    out += b"trailer\n<</Size %d/Root %d 0 R%s>>\n" % (max(known) + 1, root, raw(trailer))
    return out + b"startxref\n%d\n" % (at if start is None else start(at)) + eof


def pdf(*args, **options):
    """A whole document of one page, with the options of `one_page`."""
    return write(one_page(*args, **options))


def update(document, objects, trailer=""):
    """Appends an incremental update (ISO 32000-1, 7.5.6)."""
    previous = int(re.findall(rb"startxref\s+(\d+)", document)[-1])
    size = max(int(re.findall(rb"/Size (\d+)", document)[-1]), max(objects) + 1)
    out, rows = document, b"xref\n0 1\n0000000000 65535 f \n"
    for number, content in objects.items():
        rows += b"%d 1\n%010d 00000 n \n" % (number, len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, raw(content))
    at = len(out)
    out += rows + b"trailer\n<</Size %d/Root 1 0 R/Prev %d%s>>\n" % (size, previous, raw(trailer))
    return out + b"startxref\n%d\n%%%%EOF\n" % at


def with_streams(objects, trailer="", shift=0):
    """A PDF 1.5 with an object stream and a cross-reference stream (7.5.7, 7.5.8). `shift` moves the offset after `startxref`."""
    inside = {number: content for number, content in objects.items() if b"\nstream\n" not in content}
    bodies, head, at = b"", b"", 0
    for number, content in inside.items():
        head += b"%d %d " % (number, at)
        bodies += content + b"\n"
        at = len(bodies)
    holder, index = max(objects) + 1, max(objects) + 2
    out, rows = b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n", {0: (0, 0, 65535)}
    packed = stream(head + bodies, "/Type/ObjStm/N %d/First %d" % (len(inside), len(head)), packed=True)
    for number, content in [(n, c) for n, c in objects.items() if n not in inside] + [(holder, packed)]:
        rows[number] = (1, len(out), 0)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    rows.update({number: (2, holder, place) for place, number in enumerate(inside)})
    rows[index] = (1, len(out), 0)
    data = b"".join(struct.pack(">BIH", *rows.get(number, (0, 0, 65535))) for number in range(index + 1))
    entries = "/Type/XRef/W[1 4 2]/Size %d/Root 1 0 R%s" % (index + 1, trailer)
    at = len(out)
    out += b"%d 0 obj\n%s\nendobj\n" % (index, stream(data, entries, packed=True))
    return out + b"startxref\n%d\n%%%%EOF\n" % (at + shift)


def der(tag, *content):
    """A value in DER. Longer ones have a length of two bytes."""
    content = b"".join(content)
    length = len(content)
    head = bytes([length]) if length < 128 else b"\x82" + struct.pack(">H", length)
    return bytes([tag]) + head + content


OID = {
    "data": "2a864886f70d010701", "signed": "2a864886f70d010702", "enveloped": "2a864886f70d010703", "rsa": "2a864886f70d010101",
    "sha256": "608648016503040201", "des": "2a864886f70d0307", "common name": "550403",
}
OID = {name: der(6, bytes.fromhex(digits)) for name, digits in OID.items()}
NULL = der(5)
ISSUER = der(0x30, der(0x31, der(0x30, OID["common name"], der(12, b"Bank CA"))))
# The issuer and the serial number of a certificate.
HOLDER = der(0x30, ISSUER, der(2, b"\x21\x07"))


def signed_message(content, seed):
    """A signed message (CMS) around `content`, or beside it if that is empty. Its signature is random and does not verify."""
    inner = der(0x30, OID["data"], der(0xA0, der(4, content))) if content else der(0x30, OID["data"])
    noise = random.Random(seed)
    algorithm = der(0x30, OID["sha256"], NULL)
    signer = der(0x30, der(2, b"\1"), HOLDER, algorithm, der(0x30, OID["rsa"], NULL), der(4, noise.randbytes(256)))
    body = der(0x30, der(2, b"\1"), der(0x31, algorithm), inner, der(0xA0, noise.randbytes(900)), der(0x31, signer))
    return der(0x30, OID["signed"], der(0xA0, body))


PLAIN = pdf()
ALERT = "app.alert\\(1\\)"
SCRIPT = "<</Type/Action/S/JavaScript/JS(%s)>>" % ALERT


# ---------------------------------------------------------------------------------------------------------------------------------
# 11: words that are the names of actions
# ---------------------------------------------------------------------------------------------------------------------------------


def words_in_pdfs():
    skills = "Skills: HTML/CSS/JavaScript, /Launch of a shop, /EmbeddedFile, /OpenAction, /AA"
    xmp = (
        "<?xml version='1.0'?><?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>"
        "<dc:title xmlns:dc='http://purl.org/dc/elements/1.1/'>/JavaScript /EmbeddedFiles /RichMedia</dc:title></x:xmpmeta>"
    )
    link = "/Annots[<</Type/Annot/Subtype/Link/Rect[72 700 200 720]/A<</S/%s>>>>]"
    widget = "<</Type/Annot/Subtype/Widget/FT/Tx/T(date)/Rect[72 600 200 620]/V(/JavaScript /Launch)/DA(/F1 9 Tf)/P 3 0 R%s>>"
    form = "/AcroForm<</Fields[6 0 R]/DA(/F1 9 Tf)/DR<</Font<</F1 5 0 R>>>>>>"
    attached = ["<</Type/Filespec/F(list.txt)/UF(list.txt)/EF<</F 7 0 R>>%s>>", stream("a list\n", "/Type/EmbeddedFile")]
    font = "<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+JavaScript/Encoding<</Type/Encoding/Differences[65/JS/AA/EF/Launch]>>>>"
    picture = stream(b"PK\x05\x06" * 48, "/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceRGB/BitsPerComponent 8")
    markup = b"% <!DOCTYPE html><html><script>\n" + text("A page about <html>, <script> and <svg>")
    plain = one_page()
    files("11-words-in-pdfs", {
        "words-in-the-text.pdf": pdf(skills),
        "words-in-packed-text.pdf": pdf(skills, packed=True),
        "words-in-the-title.pdf": write(
            one_page(more=["<</Title(/JavaScript for beginners)/Subject(/Launch)/Keywords(/XFA /GoToR)>>"]), trailer="/Info 6 0 R"),
        "words-in-xmp-at-the-beginning.pdf": write({
            6: stream(xmp, "/Type/Metadata/Subtype/XML"), **one_page(catalogue="/Metadata 6 0 R")}),
        "words-in-a-comment-and-an-unused-string.pdf": write(
            one_page(more=["(<</S/JavaScript/JS(app.alert\\(1\\))>>)", "<2f4a617661536372697074>"]),
            first=b"% 9 0 obj <</S /JavaScript /JS (x)>> endobj /Launch\n"),
        "words-as-names-of-a-font-and-its-glyphs.pdf": pdf(resources="/XObject<<>>", more=[font], page="/Extra 6 0 R"),
        "words-in-the-value-of-a-field.pdf": pdf(catalogue=form, page="/Annots[6 0 R]", more=[widget % ""]),
        "words-of-markup-in-the-text.pdf": write({4: stream(markup), **{n: c for n, c in one_page().items() if n != 4}}),
        "end-of-an-archive-in-a-picture.pdf": pdf(resources="/XObject<</Im1 6 0 R>>", more=[picture]),
        "link-to-a-page-about-scripts.pdf": pdf(page=link % "URI/URI(https://pages.example/JavaScript/Launch)"),
        # The same as structure.
        "script-when-opened.pdf": pdf(catalogue="/OpenAction 6 0 R", more=[SCRIPT]),
        "script-whose-type-is-a-reference.pdf": pdf(
            catalogue="/OpenAction 6 0 R", more=["<</S 7 0 R/JS 8 0 R>>", "/JavaScript", stream(ALERT.replace("\\", ""))]),
        "script-with-escaped-names.pdf": pdf(catalogue="/Open#41ction<</#53/J#61vaScript/J#53(%s)>>" % ALERT),
        "script-in-the-name-tree.pdf": pdf(catalogue="/Names<</JavaScript 6 0 R>>", more=["<</Names[(a)7 0 R]>>", SCRIPT]),
        "script-in-a-packed-object-stream.pdf": with_streams(one_page(catalogue="/OpenAction 6 0 R", more=[SCRIPT])),
        "script-added-by-an-update.pdf": update(
            PLAIN, {1: "<</Type/Catalog/Pages 2 0 R/OpenAction 6 0 R>>", 6: SCRIPT}),
        "script-behind-a-chain-of-actions.pdf": pdf(
            catalogue="/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next[<</S/GoTo/D[3 0 R/Fit]/Next 6 0 R>>]>>", more=[SCRIPT]),
        "script-of-the-second-page.pdf": write({
            **plain, 2: b"<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>",
            6: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/AA<</O 7 0 R>>>>", 7: raw(SCRIPT)}),
        "script-of-a-date-field.pdf": pdf(
            catalogue=form, page="/Annots[6 0 R]",
            more=[widget % "/AA<</F<</S/JavaScript/JS(AFDate_FormatEx\\(\"dd.mm.yyyy\"\\);)>>>>"]),
        "script-that-only-a-search-finds.pdf": write(
            one_page(catalogue="/OpenAction 6 0 R", more=[SCRIPT]), hidden=[6], trailer="", start=lambda at: at - 9),
        "link-that-launches-a-program.pdf": pdf(page=link % "Launch/F(cmd.exe)"),
        "link-that-submits-a-form.pdf": pdf(page=link % "SubmitForm/F<</FS/URL/F(https://collect.example/)>>"),
        "link-to-another-file.pdf": pdf(page=link % "GoToR/F(other.pdf)/D[0/Fit]"),
        "link-to-the-next-page-by-name.pdf": pdf(page=link % "Named/N/NextPage"),
        "attachment-in-the-name-tree.pdf": pdf(
            catalogue="/Names<</EmbeddedFiles<</Names[(list.txt)6 0 R]>>>>", more=[attached[0] % "", attached[1]]),
        "attachment-as-an-annotation.pdf": pdf(
            page="/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[72 600 90 620]/FS 6 0 R>>]", more=[attached[0] % "", attached[1]]),
        "invoice-with-its-data.pdf": pdf(
            catalogue="/AF[6 0 R]", more=[attached[0] % "/AFRelationship/Alternative", stream("<Invoice/>", "/Type/EmbeddedFile/Subtype/text#2Fxml")]),
        "form-of-xfa.pdf": pdf(
            "Please wait... If this message is not replaced, your viewer cannot show this document.",
            catalogue="/AcroForm<</Fields[]/XFA[(template)6 0 R]>>", more=[stream("<template/>")]),
        "film-in-a-page.pdf": pdf(
            page="/Annots[<</Type/Annot/Subtype/RichMedia/Rect[72 500 300 600]/RichMediaContent<</Assets<</Names[(a.swf)6 0 R]>>>>>>]",
            more=[attached[0] % "", attached[1]]),
    })


# ---------------------------------------------------------------------------------------------------------------------------------
# 12: the frame of a PDF
# ---------------------------------------------------------------------------------------------------------------------------------


def frame_of_pdfs():
    mail = b"Received: from mail.bank.example\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment\r\n\r\n"
    banner = b"GPL Ghostscript 9.55.0 (2021-09-27)\nCopyright (C) 2021 Artifex Software, Inc.\n"
    warning = b"<br />\n<b>Warning</b>:  Undefined variable $total in <b>/srv/invoice.php</b> on line <b>12</b><br />\n"
    page = b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>%s</body></html>\n"
    objects = PLAIN[: PLAIN.index(b"xref\n0 ")]
    second = write(one_page("Another document"))
    moved = write(one_page(), first=b"", start=lambda at: at + 512)

    def absolute(prefix):
        """The document behind a prefix, with offsets that count from the first byte of the file."""
        whole, shift = write(one_page()), len(prefix)
        whole = re.sub(rb"(\d{10}) 00000 n", lambda m: b"%010d 00000 n" % (int(m[1]) + shift), whole)
        return prefix + re.sub(rb"startxref\n(\d+)", lambda m: b"startxref\n%d" % (int(m[1]) + shift), whole)

    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr(zipfile.ZipInfo("META-INF/MANIFEST.MF", (2026, 1, 1, 0, 0, 0)), b"Main-Class: A\n")
    files("12-frame-of-pdfs", {
        "byte-order-mark-first.pdf": b"\xef\xbb\xbf" + PLAIN,
        "banner-of-ghostscript-first.pdf": banner + PLAIN,
        "mail-head-first-with-offsets-of-the-file.pdf": absolute(mail),
        "php-warning-first.pdf": warning + PLAIN,
        "signed-envelope-of-an-office.pdf": signed_message(PLAIN, 12),
        "text-of-1100-bytes-first.pdf": b"x" * 1_099 + b"\n" + PLAIN,
        "web-page-first.pdf": page % b"Please sign in" + PLAIN,
        "nul-bytes-behind.pdf": PLAIN + bytes(2_000),
        "very-many-nul-bytes-behind.pdf": PLAIN + bytes(80_508),
        "lines-and-binary-garbage-behind.pdf": PLAIN + b"\r\n\r\n" + random.Random(7).randbytes(1_500),
        "web-page-behind.pdf": PLAIN + page % (b"<p>Thank you for your order.</p>" * 50),
        "archive-behind.pdf": PLAIN + archive.getvalue(),
        "without-end-marker.pdf": PLAIN.removesuffix(b"%%EOF\n"),
        "without-startxref.pdf": PLAIN[: PLAIN.rindex(b"startxref")],
        "startxref-far-off.pdf": moved,
        "startxref-on-one-line.pdf": re.sub(rb"startxref\n(\d+)", rb"startxref \1", PLAIN),
        "table-of-19-byte-rows.pdf": write(one_page(), entry=b"%010d %05d %c\n"),
        "lines-converted-to-crlf.pdf": PLAIN.replace(b"\n", b"\r\n"),
        "version-1-10.pdf": write(one_page(), version="1.10"),
        "header-in-lower-case.pdf": b"%pdf-1.7" + PLAIN[8:],
        "two-documents-in-one-file.pdf": PLAIN + second,
        "cut-in-the-content-of-the-page.pdf": PLAIN[: PLAIN.index(b"balance")],
        "objects-without-table-and-trailer.pdf": objects,
        "web-page-called-pdf.pdf": page % b"Your session has expired. Please sign in to see your statement.",
        "base64-called-pdf.pdf": base64.encodebytes(PLAIN),
        "header-and-end-only.pdf": b"%PDF-1.7\n%%EOF\n",
        "empty-file.pdf": b"",
    })


# ---------------------------------------------------------------------------------------------------------------------------------
# 13: PDFs without pages
# ---------------------------------------------------------------------------------------------------------------------------------


def pdfs_without_pages():
    plain = one_page()

    def tree(pages, more=None, without=()):
        objects = {n: c for n, c in plain.items() if n not in without}
        return write({**objects, 2: raw(pages), **{n: raw(c) for n, c in (more or {}).items()}})

    blank = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>%s>>"
    unknown = stream(b"\xff" * 60, "/Filter/FlateDecode")
    files("13-pdfs-without-pages", {
        "empty-tree-as-a-visa.pdf": tree("<</Type/Pages/Kids[]/Count 0>>", without=[3, 4, 5]),
        "empty-tree-that-claims-a-page.pdf": tree("<</Type/Pages/Kids[]/Count 1>>", without=[3, 4, 5]),
        "page-that-is-not-in-the-tree.pdf": tree("<</Type/Pages/Kids[]/Count 0>>"),
        "tree-without-kids.pdf": tree("<</Type/Pages/Count 1>>", without=[3, 4, 5]),
        "catalogue-without-a-tree.pdf": write({**plain, 1: b"<</Type/Catalog>>"}),
        "page-that-is-null.pdf": tree("<</Type/Pages/Kids[3 0 R]/Count 1>>", {3: "null"}),
        "tree-that-is-a-loop.pdf": tree("<</Type/Pages/Kids[2 0 R]/Count 1>>", without=[3, 4, 5]),
        "only-page-cannot-be-decoded.pdf": tree("<</Type/Pages/Kids[3 0 R]/Count 1>>", {4: unknown}),
        # With a page.
        "loop-beside-a-page.pdf": tree(
            "<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>",
            {6: "<</Type/Pages/Parent 2 0 R/Kids[7 0 R]/Count 1>>", 7: "<</Type/Pages/Parent 6 0 R/Kids[6 0 R]/Count 1>>"}),
        "count-of-none-and-a-page.pdf": tree("<</Type/Pages/Kids[3 0 R]/Count 0>>"),
        "count-of-fifty-and-a-page.pdf": tree("<</Type/Pages/Kids[3 0 R]/Count 50>>"),
        "nodes-without-types.pdf": write({
            **plain, 2: b"<</Kids[6 0 R]/Count 1>>", 3: plain[3].replace(b"/Type/Page/Parent 2", b"/Parent 6"),
            6: b"<</Parent 2 0 R/Kids[3 0 R]/Count 1>>"}),
        "blank-page.pdf": tree("<</Type/Pages/Kids[3 0 R]/Count 1>>", {3: blank % ""}, without=[4, 5]),
        "page-whose-content-does-not-exist.pdf": tree("<</Type/Pages/Kids[3 0 R]/Count 1>>", {3: blank % "/Contents 9 0 R"}, without=[4, 5]),
        "one-of-two-pages-cannot-be-decoded.pdf": tree(
            "<</Type/Pages/Kids[6 0 R 3 0 R]/Count 2>>", {6: blank % "/Contents 7 0 R", 7: unknown}),
    })


# ---------------------------------------------------------------------------------------------------------------------------------
# 14: keys without effect
# ---------------------------------------------------------------------------------------------------------------------------------


def keys_without_effect():
    shape = stream("0 0 10 10 re f", "/Type/XObject/Subtype/Form/BBox[0 0 10 10]")
    rights = (
        "/Perms<</UR3<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 1 2 3]/Contents<00>/Reference[<<"
        "/Type/SigRef/TransformMethod/UR3/TransformParams<</Type/TransformParams/V/2.2/Document[/FullSave]/Annots[/Create/Delete]"
        "/Form[/FillIn/Import/Export/SubmitStandalone]/EF[/Create/Delete/Modify/Import]>>>>]>>>>"
    )
    piece = "/PieceInfo<</Illustrator<</LastModified(D:20260101120000Z)/Private<</JS 4/Launch(x)/EF<<>>/AA true/S/Shapes>>>>>>"
    roles = [
        "<</Type/StructTreeRoot/K 7 0 R/RoleMap<</Launch/P/Sound/P/Named/H1>>>>",
        "<</Type/StructElem/S/Named/P 6 0 R/K[8 0 R]>>", "<</Type/StructElem/S/Launch/P 7 0 R/K 0/Pg 3 0 R>>"]
    note = "/Annots[<</Type/Annot/Subtype/Text/Rect[72 600 90 620]/Contents(Seen)%s>>]"
    filespec = ["<</Type/Filespec/F(a.txt)/EF<</F 7 0 R>>>>", stream("a", "/Type/EmbeddedFile")]
    files("14-keys-without-effect", {
        "empty-tree-of-scripts.pdf": pdf(catalogue="/Names<</JavaScript<</Names[]>>>>"),
        "empty-leaf-in-a-tree-of-scripts.pdf": pdf(
            catalogue="/Names 6 0 R", more=["<</JavaScript 7 0 R>>", "<</Kids[8 0 R]>>", "<</Limits[(a)(z)]/Names[]>>"]),
        "empty-tree-of-attachments.pdf": pdf(catalogue="/Names<</EmbeddedFiles<</Names[]>>/Dests<</Names[(JavaScript)[3 0 R/Fit]]>>>>"),
        "empty-trigger-events.pdf": pdf(catalogue="/AA<<>>/OpenAction null", page="/AA<</O null>>" + note % "/AA<<>>"),
        "empty-list-of-associated-files.pdf": pdf(catalogue="/AF[]"),
        "resources-with-names-of-actions.pdf": pdf(
            stream=stream(text("Drawn") + b" /JS Do /AA gs"),
            resources="/XObject<</JS 6 0 R/EF 6 0 R>>/ExtGState<</AA<</LW 1>>/AF<<>>>>/Properties<</EmbeddedFiles<<>>/XFA<<>>>>", more=[shape]),
        "rights-of-a-reader.pdf": pdf(catalogue=rights),
        "private-data-of-an-editor.pdf": pdf(catalogue="", page=piece),
        "structure-types-called-as-actions.pdf": pdf(catalogue="/StructTreeRoot 6 0 R/MarkInfo<</Marked true>>/Lang(en)", more=roles),
        "opens-at-a-page.pdf": pdf(catalogue="/OpenAction 6 0 R", more=["<</Type/Action/S/GoTo/D[3 0 R/XYZ null null 0]>>"]),
        "opens-at-a-named-destination.pdf": pdf(catalogue="/OpenAction(start)/Names<</Dests<</Names[(start)[3 0 R/Fit]]>>>>"),
        # The same keys with an effect.
        "script-in-the-second-leaf.pdf": pdf(
            catalogue="/Names<</JavaScript<</Kids[6 0 R 7 0 R]>>>>",
            more=["<</Limits[(a)(b)]/Names[]>>", "<</Limits[(c)(c)]/Names[(c)8 0 R]>>", SCRIPT]),
        "one-attachment-beside-empty-leaves.pdf": pdf(
            catalogue="/Names<</EmbeddedFiles<</Kids[<</Names[]>><</Names[(a.txt)6 0 R]>>]>>>>", more=filespec),
        "page-that-opens-a-site.pdf": pdf(page="/AA<</O<</S/URI/URI(https://track.example/open)>>>>"),
        "document-that-opens-a-site.pdf": pdf(catalogue="/OpenAction<</S/URI/URI(https://track.example/)>>"),
        "document-that-prints-itself.pdf": pdf(catalogue="/OpenAction<</Type/Action/S/Named/N/Print>>"),
        "opens-at-a-page-and-then-more.pdf": pdf(catalogue="/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next<</S/Launch/F(a.exe)>>>>"),
        "resource-name-and-a-script.pdf": pdf(
            resources="/XObject<</JS 6 0 R>>", page=note % "/A 7 0 R", more=[shape, SCRIPT]),
        "reader-rights-and-an-attachment.pdf": pdf(
            catalogue=rights, page="/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[9 9 20 20]/FS 6 0 R>>]", more=filespec),
    })


# ---------------------------------------------------------------------------------------------------------------------------------
# 15: protected PDFs
# ---------------------------------------------------------------------------------------------------------------------------------


def fixed_random(seed):
    """Replaces the random numbers of `secrets`, from which pypdf makes keys and initial vectors."""
    numbers = random.Random(seed)
    secrets.token_bytes = numbers.randbytes
    secrets.randbelow = numbers.randrange


def protect_aes(document, algorithm, user, seed):
    fixed_random(seed)
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(document))
    writer._ID = pypdf.generic.ArrayObject([pypdf.generic.ByteStringObject(md5(document).digest())] * 2)
    writer.encrypt(user, "owner-password", algorithm=algorithm, permissions_flag=pypdf.constants.UserAccessPermissions.PRINT)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def protect_rc4(document, revision, user, owner="owner-password", **options):
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(document)) as opened:
        protection = pikepdf.Encryption(owner=owner, user=user, R=revision, aes=False, metadata=False)
        opened.save(out, encryption=protection, static_id=True, **options)
    return out.getvalue()


def protected_pdfs():
    noise = random.Random(15)
    handler = (
        "<</Filter/FOPN_foweb/V 2/Length 128/VEID(9.0)/BUILD(906)/SVID(797)/INFO(HgR50GSLkqXShHKestPel1/ocyoslBDzOQxbbo1jgGDz)>>")
    recipient = der(0x30, der(2, b"\0"), HOLDER, der(0x30, OID["rsa"], NULL), der(4, noise.randbytes(128)))
    secret = der(0x30, OID["data"], der(0x30, OID["des"], der(4, noise.randbytes(8))), der(0x80, noise.randbytes(32)))
    envelope = der(0x30, OID["enveloped"], der(0xA0, der(0x30, der(2, b"\0"), der(0x31, recipient), secret)))
    certificate = "<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s4/V 1/Length 128/Recipients[<%s>]>>" % envelope.hex()
    future = "<</Filter/Standard/V 7/R 9/Length 512/O<%s>/U<%s>/P -1340>>" % (noise.randbytes(48).hex(), noise.randbytes(48).hex())

    def with_handler(dictionary):
        locked = one_page(stream=stream(noise.randbytes(64)), more=[dictionary])
        return write(locked, trailer="/Encrypt 6 0 R/ID[<%s><%s>]" % (("15" * 16,) * 2))

    wrapper = pdf(
        "This document is protected. Open it with a viewer that supports rights management.",
        catalogue="/Collection<</View/H>>/AF[6 0 R]/Names<</EmbeddedFiles<</Names[(a.pdf)6 0 R]>>>>",
        more=["<</Type/Filespec/F(a.pdf)/AFRelationship/EncryptedPayload/EF<</F 7 0 R>>"
              "/EP<</Type/EncryptedPayload/Subtype/MicrosoftIRMServices/Version(2)>>>>", stream(noise.randbytes(90), "/Type/EmbeddedFile")])
    script = pdf(catalogue="/OpenAction 6 0 R", more=[SCRIPT])
    # Adobe writes such a dictionary when only a part of a file is meant to be secret and nothing is: every string and stream is plain.
    identity = one_page(more=[
        "<</Filter/Standard/V 4/R 4/Length 128/CF<<>>/StmF/Identity/StrF/Identity/P %d/O<%s>/U<%s>>>"])
    with pikepdf.open(io.BytesIO(protect_rc4(PLAIN, 3, ""))) as locked:
        name, permissions = bytes(locked.trailer.ID[0]).hex(), int(locked.trailer.Encrypt.P)
        identity[6] %= (permissions, *(bytes(locked.trailer.Encrypt[key]).hex().encode() for key in ("/O", "/U")))
    files("15-protected-pdfs", {
        "owner-password-rc4-40.pdf": protect_rc4(PLAIN, 2, ""),
        "owner-password-rc4-128.pdf": protect_rc4(PLAIN, 3, ""),
        "owner-password-rc4-128-in-object-streams.pdf": protect_rc4(
            PLAIN, 3, "", object_stream_mode=pikepdf.ObjectStreamMode.generate),
        "owner-password-aes-128.pdf": protect_aes(PLAIN, "AES-128", "", 1),
        "owner-password-aes-256.pdf": protect_aes(PLAIN, "AES-256", "", 2),
        "owner-password-aes-256-of-acrobat-9.pdf": protect_aes(PLAIN, "AES-256-R5", "", 3),
        "nothing-encrypted-by-the-identity-filter.pdf": write(identity, trailer="/Encrypt 6 0 R/ID[<%s><%s>]" % (name, name)),
        "word-encrypt-in-the-text.pdf": pdf("How banks /Encrypt their statements: /Filter/Standard"),
        # Not to be opened, or not to be taken.
        "password-to-open-rc4.pdf": protect_rc4(PLAIN, 3, "secret"),
        "password-to-open-aes-256.pdf": protect_aes(PLAIN, "AES-256", "secret", 4),
        "handler-of-another-maker.pdf": with_handler(handler),
        "revision-that-does-not-exist.pdf": with_handler(future),
        "encrypted-for-a-certificate.pdf": with_handler(certificate),
        "wrapper-around-an-encrypted-document.pdf": wrapper,
        "owner-password-and-a-script-within.pdf": protect_rc4(script, 3, "", object_stream_mode=pikepdf.ObjectStreamMode.generate),
        "owner-password-and-no-pages.pdf": protect_aes(
            write({1: "<</Type/Catalog/Pages 2 0 R>>", 2: "<</Type/Pages/Kids[]/Count 0>>"}), "AES-128", "", 5),
    })


# ---------------------------------------------------------------------------------------------------------------------------------
# Writing pictures
# ---------------------------------------------------------------------------------------------------------------------------------

RED, GREEN, BLUE, LIGHT = (200, 40, 40), (40, 160, 40), (40, 40, 200), (230, 230, 230)


def quadrants(width=32, height=16, colours=(RED, GREEN, BLUE, LIGHT)):
    """A picture whose corners are red, green, blue and light, so that turning it shows."""
    picture = Image.new("RGB", (width, height))
    for place, colour in enumerate(colours):
        picture.paste(colour, (width // 2 * (place % 2), height // 2 * (place // 2), width, height))
    return picture


def grain(width, height, seed=16):
    """A picture with detail, so that its data is spread over the whole file."""
    return Image.frombytes("L", (width, height), random.Random(seed).randbytes(width * height)).convert("RGB")


def encoded(picture, kind, **options):
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def jpeg(picture=None, **options):
    return encoded(picture or quadrants(), "JPEG", **{"quality": 95, "subsampling": 0, **options})


def app(number, content):
    """An application segment of a JPEG."""
    return bytes([0xFF, 0xE0 + number]) + struct.pack(">H", len(content) + 2) + content


def into_jpeg(picture, *segments):
    """Puts segments behind the start of a JPEG."""
    return picture[:2] + b"".join(segments) + picture[2:]


def exif(orientation, order="<", more=()):
    """Exif with an orientation, and perhaps other short entries."""
    entries = [(0x112, orientation), *more]
    mark = b"II*\0" if order == "<" else b"MM\0*"
    body = b"".join(struct.pack(order + "HHIHH", tag, 3, 1, value, 0) for tag, value in entries)
    return mark + struct.pack(order + "IH", 8, len(entries)) + body + bytes(4)


def chunk(kind, content, check=None):
    check = zlib.crc32(kind + content) if check is None else check
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png(rows, colour=2, depth=8, before=b"", head=None, end=True, interlace=0):
    """A PNG of rows of bytes. `before` are the chunks between the head and the data."""
    per_pixel = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    width, height = head or (len(rows[0]) * 8 // depth // per_pixel, len(rows))
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    out = SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)) + before
    return out + chunk(b"IDAT", data) + (chunk(b"IEND", b"") if end else b"")


def rows_of(picture):
    width, size = picture.width, len(picture.getbands())
    data = picture.tobytes()
    return [data[at : at + width * size] for at in range(0, len(data), width * size)]


def riff(*chunks):
    """A WebP of chunks (name and content)."""
    body = b"WEBP" + b"".join(name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2) for name, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def webp_chunks(picture, **options):
    """The chunks of a WebP that Pillow wrote."""
    data = encoded(picture, "WEBP", **{"lossless": True, "quality": 100, "method": 6, **options})
    at, chunks = 12, []
    while at < len(data):
        length = struct.unpack("<I", data[at + 4 : at + 8])[0]
        chunks.append((data[at : at + 4], data[at + 8 : at + 8 + length]))
        at += 8 + length + length % 2
    return chunks


def extended(picture, flags, *more):
    """A WebP with the extended head (VP8X) and further chunks: a profile before the data, metadata behind it."""
    head = struct.pack("<I", flags) + (picture.width - 1).to_bytes(3, "little") + (picture.height - 1).to_bytes(3, "little")
    data = [c for c in webp_chunks(picture) if c[0] in (b"VP8L", b"VP8 ")]
    return riff((b"VP8X", head), *[c for c in more if c[0] == b"ICCP"], *data, *[c for c in more if c[0] != b"ICCP"])


def gif(picture=None):
    return encoded((picture or quadrants()).quantize(4), "GIF")


# ---------------------------------------------------------------------------------------------------------------------------------
# 16: the frame of pictures
# ---------------------------------------------------------------------------------------------------------------------------------


def frame_of_pictures():
    whole, detailed = jpeg(), jpeg(grain(64, 64), quality=80)
    rows = rows_of(quadrants())
    picture = png(rows)
    noisy = png(rows_of(grain(48, 48)))
    at = picture.index(b"IDAT") - 4
    broken_text = chunk(b"tEXt", b"Software\0Editor of Baidu", check=0x12345678)
    name = b"\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data1577836800000"
    samsung = name + b"SEFH" + struct.pack("<IIHHII", 101, 1, 0, 0x0A01, len(name), len(name)) + struct.pack("<I", 24) + b"SEFT"
    film = struct.pack(">I", 24) + b"ftypmp42\0\0\0\0mp42isom" + struct.pack(">I", 2_000) + b"mdat" + random.Random(3).randbytes(1_992)
    scan = whole.index(b"\xff\xda")
    bad_data = bytearray(noisy)
    bad_data[noisy.index(b"IDAT") + 1_000] ^= 0x55
    tall = bytearray(whole)
    frame = whole.index(b"\xff\xc0")
    tall[frame + 5 : frame + 9] = struct.pack(">HH", 60_000, 60_000)
    still = gif()
    heif = io.BytesIO()
    pillow_heif.from_pillow(quadrants(64, 64)).save(heif, quality=50)
    bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(60_000_000), 9))
    files("16-frame-of-pictures", {
        "jpeg-without-end.jpg": whole[:-2],
        "jpeg-with-samsungs-trailer.jpg": whole + samsung,
        "samsung-panorama-without-end.jpg": whole[:-2] + film + samsung,
        "jpeg-with-bytes-behind-its-scan.jpg": whole[:-2] + b"\x7f\x00\x2a\x11\x7f\xff\xd9",
        "jpeg-turned-by-exif-6.jpg": into_jpeg(whole, app(1, b"Exif\0\0" + exif(6))),
        "jpeg-mirrored-by-exif-5.jpg": into_jpeg(whole, app(1, b"Exif\0\0" + exif(5, ">"))),
        "jpeg-called-png.png": whole,
        "jpeg-cut-by-one-percent.jpg": detailed[: len(detailed) * 99 // 100],
        "jpeg-cut-by-half.jpg": detailed[: len(detailed) // 2],
        "jpeg-behind-an-empty-line.jpg": b"\r\n" + whole,
        "jpeg-of-60000-by-60000.jpg": bytes(tall),
        "png-with-a-line-feed-behind.png": picture + b"\n",
        "png-with-zeros-behind.png": picture + bytes(4_096),
        "png-without-end-chunk.png": png(rows, end=False),
        "png-with-a-wrong-sum-of-a-text.png": png(rows, before=broken_text),
        "png-with-a-text-that-unpacks-to-60-mb.png": png(rows, before=bomb),
        "png-with-damaged-data.png": bytes(bad_data),
        "png-cut-in-its-data.png": noisy[: len(noisy) * 2 // 3],
        "png-sent-as-text.png": picture.replace(b"\r\n", b"\n"),
        "png-of-60000-by-60000.png": png(rows, head=(60_000, 60_000)),
        "png-of-no-width.png": png(rows, head=(0, 16)),
        "webp-with-bytes-behind.webp": riff(*webp_chunks(quadrants())) + bytes(100),
        "webp-cut.webp": riff(*webp_chunks(grain(48, 48)))[:-400],
        "gif-without-trailer.gif": still.removesuffix(b";"),
        "gif-with-zeros-before-its-trailer.gif": still[:-1] + b"\0\0\0;",
        "heic-of-an-iphone.jpg": heif.getvalue(),
        "svg.svg": b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    })


# ---------------------------------------------------------------------------------------------------------------------------------
# Colour profiles
# ---------------------------------------------------------------------------------------------------------------------------------

D50 = (0.9642, 1.0, 0.8249)
D65 = (0.3127, 0.3290)
# The chromaticities of red, green and blue, and of white.
SRGB = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06), D65)
DISPLAY_P3 = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), D65)
ADOBE_RGB = ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06), D65)
PROPHOTO = ((0.7347, 0.2653), (0.1596, 0.8404), (0.0366, 0.0001), (0.3457, 0.3585))
BRADFORD = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))


def multiply(left, right):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*right)] for row in left]


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    whole = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    rows = ((e * i - f * h, c * h - b * i, b * f - c * e), (f * g - d * i, a * i - c * g, c * d - a * f), (d * h - e * g, b * g - a * h, a * e - b * d))
    return [[value / whole for value in row] for row in rows]


def xyz(x, y):
    return [x / y, 1.0, (1 - x - y) / y]


def colorants(red, green, blue, white):
    """The XYZ of the primaries, adapted to D50 by the Bradford matrix (ICC.1:2010, annex E)."""
    primaries = [list(row) for row in zip(xyz(*red), xyz(*green), xyz(*blue))]
    scale = multiply(inverse(primaries), [[value] for value in xyz(*white)])
    scaled = [[value * scale[column][0] for column, value in enumerate(row)] for row in primaries]
    source, target = (multiply(BRADFORD, [[v] for v in point]) for point in (xyz(*white), D50))
    ratio = [[target[n][0] / source[n][0] if n == m else 0 for m in range(3)] for n in range(3)]
    adapted = multiply(multiply(multiply(inverse(BRADFORD), ratio), BRADFORD), scaled)
    return list(zip(*adapted))


def fixed(*values):
    return b"".join(struct.pack(">i", round(value * 65_536)) for value in values)


def gamma(value):
    return b"curv" + bytes(4) + struct.pack(">IH", 1, round(value * 256))


def curve(function, points=256):
    return b"curv" + bytes(4) + struct.pack(">I%dH" % points, points, *(round(65_535 * function(n / (points - 1))) for n in range(points)))


def of_srgb(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


PARAMETRIC_SRGB = b"para" + bytes(4) + struct.pack(">HH", 3, 0) + fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)


def profile(name, space, tags, connection="XYZ ", kind="mntr", version=2):
    """An ICC profile of version 2.1 or 4.3 (ICC.1:2010, clause 7)."""
    wide = name.encode("utf-16-be")
    described = b"mluc" + bytes(4) + struct.pack(">II4sII", 1, 12, b"enUS", len(wide), 28) + wide
    if version == 2:
        described = b"desc" + bytes(4) + struct.pack(">I", len(name) + 1) + name.encode() + bytes(1 + 78)
    tags = {"desc": described, "cprt": described if version == 4 else b"text" + bytes(4) + b"CC0\0", "wtpt": b"XYZ " + bytes(4) + fixed(*D50), **tags}
    at, head, body = 128 + 4 + 12 * len(tags), struct.pack(">I", len(tags)), b""
    for tag, data in tags.items():
        head += struct.pack(">4sII", tag.encode(), at + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    start = struct.pack(
        ">II4s4s4s4s6H4s", at + len(body), 0, bytes([version, 0x10 if version == 2 else 0x30, 0, 0]), kind.encode(), space.encode(),
        connection.encode(), 2026, 1, 1, 0, 0, 0, b"acsp")
    return (start + bytes(28) + fixed(*D50)).ljust(128, b"\0") + head + body


def rgb_profile(name, primaries, curves, version=2):
    tags = {letter + "XYZ": b"XYZ " + bytes(4) + fixed(*value) for letter, value in zip("rgb", colorants(*primaries))}
    return profile(name, "RGB ", {**tags, **{letter + "TRC": curves for letter in "rgb"}}, version=version)


def cmyk_profile():
    """A table of two points for each ink (lut8Type), with colours as of a press on coated paper."""
    inks = {
        "": (95, 0, -2), "C": (55, -37, -50), "M": (48, 74, -3), "Y": (89, -5, 93), "CM": (24, 22, -46), "CY": (50, -68, 25),
        "MY": (47, 68, 48), "CMY": (23, 0, 0),
    }
    grid = b""
    for point in itertools.product((0, 1), repeat=4):
        light, a, b = inks["".join(ink for ink, on in zip("CMY", point) if on)]
        light, a, b = (light * 0.17, a * 0.1, b * 0.1) if point[3] else (light, a, b)
        grid += bytes([round(light * 2.55), round(a) + 128, round(b) + 128])
    straight = bytes(range(256))
    matrix = fixed(1, 0, 0, 0, 1, 0, 0, 0, 1)
    table = b"mft1" + bytes(4) + bytes([4, 3, 2, 0]) + matrix + straight * 4 + grid + straight * 3
    return profile("Press", "CMYK", {"A2B0": table}, connection="Lab ", kind="prtr")


def colour_profiles():
    p3 = rgb_profile("Display P3", DISPLAY_P3, PARAMETRIC_SRGB, version=4)
    adobe = rgb_profile("Adobe RGB (1998)", ADOBE_RGB, gamma(2.19921875))
    prophoto = rgb_profile("ProPhoto RGB", PROPHOTO, gamma(1.8))
    srgb = rgb_profile("sRGB", SRGB, curve(of_srgb, 1_024))
    press = cmyk_profile()
    grey = profile("Grey gamma 2.2", "GRAY", {"kTRC": gamma(2.2)})
    dots = profile("Dot gain", "GRAY", {"kTRC": curve(lambda value: value**1.75)})
    # Skin, the strongest red of the space, a blue and a dark grey.
    colours = quadrants(16, 16, ((200, 150, 123), (255, 0, 0), (90, 140, 200), (60, 60, 60)))
    rows = rows_of(colours)
    inks = Image.merge("CMYK", [Image.new("L", (16, 16)) for _ in range(4)])
    for place, ink in enumerate(((255, 0, 0, 0), (0, 128, 0, 0), (0, 0, 255, 0), (0, 0, 0, 128))):
        inks.paste(ink, (8 * (place % 2), 8 * (place // 2), 8 * (place % 2) + 8, 8 * (place // 2) + 8))
    # YCCK: the first three channels are written as YCC, and the segment of Adobe says so (its transform is 2).
    ycc = Image.merge("RGB", inks.split()[:3]).convert("YCbCr").split()
    ycck = jpeg(Image.merge("CMYK", (*map(ImageChops.invert, ycc), inks.split()[3])), quality=100)
    mark = ycck.index(b"Adobe\0") + 11
    ycck = ycck[:mark] + b"\2" + ycck[mark + 1 :]

    def photo(*segments, picture=colours):
        whole = jpeg(picture, quality=100)
        at = whole.index(b"\xff\xdb")
        return whole[:at] + b"".join(segments) + whole[at:]

    def part(content, number=1, of=1):
        return app(2, b"ICC_PROFILE\0" + bytes([number, of]) + content)

    def icc(content):
        return chunk(b"iCCP", b"profile\0\0" + zlib.compress(content, 9))

    def chromaticities(primaries):
        points = (primaries[3], *primaries[:3])
        return chunk(b"cHRM", struct.pack(">8I", *(round(value * 100_000) for point in points for value in point)))

    def exponent(value):
        return chunk(b"gAMA", struct.pack(">I", round(value * 100_000)))

    deep = [b"".join(struct.pack(">H", value * 257) for value in row) for row in rows]
    indexes = [[0] * 8 + [1] * 8] * 8 + [[2] * 8 + [3] * 8] * 8
    palette = chunk(b"PLTE", bytes(itertools.chain(*(colours.getpixel((x, y)) for y in (4, 12) for x in (4, 12)))))
    steps = [[20] * 8 + [60] * 8] * 8 + [[128] * 8 + [200] * 8] * 8
    shades = Image.frombytes("L", (16, 16), b"".join(bytes(row) for row in steps))
    half = len(p3) // 2
    adobe_in_exif = b"Exif\0\0" + exif(1, more=[(0xA001, 0xFFFF)])
    files("17-colour-profiles", {
        "display-p3-of-an-iphone.jpg": photo(part(p3)),
        "display-p3.png": png(rows, before=icc(p3)),
        "display-p3-of-a-webp.webp": extended(colours, 0x20, (b"ICCP", p3)),
        "display-p3-by-code-points.png": png(rows, before=chunk(b"cICP", bytes([12, 13, 0, 1]))),
        "display-p3-of-a-palette.png": png(indexes, colour=3, before=icc(p3) + palette),
        "adobe-rgb.jpg": photo(part(adobe)),
        "adobe-rgb-of-16-bits.png": png(deep, depth=16, before=icc(adobe)),
        "prophoto.png": png(rows, before=icc(prophoto)),
        "srgb-as-a-table.jpg": photo(part(srgb)),
        "grey-with-gamma-2-2.png": png(steps, colour=0, before=icc(grey)),
        "grey-with-dot-gain.jpg": photo(part(dots), picture=shades),
        "inks-with-a-profile.jpg": photo(part(press), picture=inks),
        "inks-without-a-profile.jpg": photo(picture=inks),
        "inks-as-ycck.jpg": ycck,
        "png-of-linear-light.png": png(rows, before=exponent(1)),
        "png-with-chromaticities.png": png(rows, before=exponent(0.45455) + chromaticities(ADOBE_RGB)),
        "profile-beside-gamma.png": png(rows, before=icc(p3) + exponent(1) + chromaticities(PROPHOTO)),
        "profile-in-two-segments-out-of-order.jpg": photo(part(p3[half:], 2, 2), part(p3[:half], 1, 2)),
        # As if there were no profile.
        "srgb-mark-beside-another-gamma.png": png(rows, before=chunk(b"sRGB", b"\0") + exponent(1)),
        "gamma-of-srgb.png": png(rows, before=exponent(0.45455) + chromaticities(SRGB)),
        "profile-that-is-damaged.jpg": photo(part(p3[:200] + bytes(len(p3) - 200))),
        "profile-without-its-second-segment.jpg": photo(part(p3[:half], 1, 2)),
        "profile-of-grey-in-a-colour-picture.png": png(rows, before=icc(grey)),
        "profile-that-unpacks-to-40-mb.png": png(rows, before=icc(struct.pack(">I", len(p3) + 40_000_000) + p3[4:] + bytes(40_000_000))),
        "adobe-rgb-only-in-exif.jpg": into_jpeg(photo(), app(1, adobe_in_exif)),
    })


# ---------------------------------------------------------------------------------------------------------------------------------
# 36: spreadsheets
# ---------------------------------------------------------------------------------------------------------------------------------

ON = (2026, 1, 1, 0, 0, 0)
HEAD = ["external_reference", "full_name", "contact_email_address", "processing_mode"]
ANN = ["W1", "Ann Lee", "ann@shop.example", "Regular Processing"]
BUDI = ["W2", "Budi Santoso", "budi@shop.example", "Priority Processing"]


def archive(parts, method=zipfile.ZIP_DEFLATED):
    """A ZIP with fixed times."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, ON)
            entry.compress_type = method
            packed.writestr(entry, content, compresslevel=9)
    return out.getvalue()


def saved(book):
    """The bytes of a workbook of openpyxl, without the time at which it was written."""
    out = io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as packed:
        parts = {entry.filename: packed.read(entry) for entry in packed.infolist()}
    dates = rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*"
    parts["docProps/core.xml"] = re.sub(dates, rb"\g<1>2026-01-01T00:00:00Z", parts["docProps/core.xml"])
    return archive(parts)


def book(*rows, head=HEAD, more=(), sheet=None, formats=None):
    """A workbook of openpyxl. `more` are further columns; `formats` number formats of cells."""
    made = openpyxl.Workbook()
    page = made.active
    page.title = sheet or "Orders"
    for row in ([*head, *more], *rows):
        page.append(row)
    for cell, code in (formats or {}).items():
        page[cell].number_format = code
    return made


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STYLES = (
    '<styleSheet xmlns="%s"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><fonts count="1"><font><sz val="10"/>'
    '<name val="Arial"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders>'
    '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf quotePrefix="1"/></cellXfs>'
    "</styleSheet>"
)


def inline(*values):
    return "".join('<c t="inlineStr"><is><t>%s</t></is></c>' % value for value in values)


def handmade(sheets, shared=None, styles=STYLES, more=None, main=MAIN, office=OFFICE, name="xl/worksheets/sheet%d.xml"):
    """A workbook put together by hand: names of sheets with their rows."""
    names = [name % number for number in range(1, len(sheets) + 1)]
    listed = "".join('<sheet name="%s" sheetId="%d" r:id="rId%d"/>' % (title, n, n) for n, title in enumerate(sheets, 1))
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    ties = "".join('<Relationship Id="rId%d" Type="%s/worksheet" Target="/%s"/>' % (n, office, part) for n, part in enumerate(names, 1))
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    types = "".join('<Override PartName="/%s" ContentType="%s.worksheet+xml"/>' % (part, kind) for part in names)
    types += '<Override PartName="/xl/workbook.xml" ContentType="%s.sheet.main+xml"/>' % kind
    parts = {}
    if shared is not None:
        ties += '<Relationship Id="rId90" Type="%s/sharedStrings" Target="sharedStrings.xml"/>' % office
        types += '<Override PartName="/xl/sharedStrings.xml" ContentType="%s.sharedStrings+xml"/>' % kind
        parts["xl/sharedStrings.xml"] = shared
    if styles:
        ties += '<Relationship Id="rId91" Type="%s/styles" Target="styles.xml"/>' % office
        types += '<Override PartName="/xl/styles.xml" ContentType="%s.styles+xml"/>' % kind
        parts["xl/styles.xml"] = styles % main
    declared = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    content = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>%s</Types>' % types,
        "_rels/.rels": '<Relationships xmlns="%s"><Relationship Id="rId1" Type="%s/officeDocument" Target="xl/workbook.xml"/></Relationships>' % (package, office),
        "xl/workbook.xml": '<workbook xmlns="%s" xmlns:r="%s"><sheets>%s</sheets></workbook>' % (main, office, listed),
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="%s">%s</Relationships>' % (package, ties),
        **parts,
        **{part: '<worksheet xmlns="%s">%s</worksheet>' % (main, rows) for part, rows in zip(names, sheets.values())},
    }
    return {**{part: xml if xml.startswith("<?xml") else declared + xml for part, xml in content.items()}, **(more or {})}


def data(*rows):
    return "<sheetData>%s</sheetData>" % "".join(rows)


def row(number, *cells):
    return '<row r="%d">%s</row>' % (number, "".join(cells))


def lying(packed, name, size):
    """A ZIP that understates the unpacked size of an entry, in both of its records."""
    out = bytearray(packed)
    for mark, field, place in ((b"PK\3\4", 22, 30), (b"PK\1\2", 24, 46)):
        at = -1
        while (at := out.find(mark, at + 1)) >= 0:
            if out[at + place :].startswith(name):
                out[at + field : at + field + 4] = struct.pack("<I", size)
    return bytes(out)


def crowded(packed, entries):
    """A ZIP with many more entries, which share one record so that the file stays small."""
    content = zlib.compress(b"<x/>", 9)[2:-4]
    sums = (zlib.crc32(b"<x/>"), len(content), 4)
    end = packed.rindex(b"PK\5\6")
    count, size, start = struct.unpack("<HII", packed[end + 10 : end + 20])
    local = struct.pack("<4s5HIIIHH", b"PK\3\4", 20, 0, 8, 0, 0x5C21, *sums, 1, 0) + b"x" + content
    more = struct.pack("<4s6HIII5HII", b"PK\1\2", 20, 20, 0, 8, 0, 0x5C21, *sums, 1, 0, 0, 0, 0, 0, start) + b"x"
    central = packed[start : start + size] + more * entries
    count += entries
    return packed[:start] + local + central + struct.pack("<4s4HIIH", b"PK\5\6", 0, 0, count, count, len(central), start + len(local), 0)


def encrypted(workbook):
    """An encrypted workbook (MS-OFFCRYPTO, agile encryption), with fixed keys and without a time."""
    fixed_random(36)
    ecma376_encrypted.datetime2filetime = lambda _: 0
    out = io.BytesIO()
    msoffcrypto.format.ooxml.OOXMLFile(io.BytesIO(workbook)).encrypt("secret", out)
    return out.getvalue()


def spreadsheets():
    birth = datetime.date(1990, 4, 12)
    pay = ["payment.gateway", "payment.payment_reference", "payment.amount", "payment.currency"]
    dates = book(
        [*ANN, birth, datetime.date(2031, 5, 1)], [*BUDI, birth, datetime.date(2031, 5, 1)], more=["date_of_birth", "date_of_expiry"],
        formats={"E2": "yyyy-mm-dd", "F2": "mm-dd-yy", "E3": "[$-409]d\\-mmm\\-yyyy;@", "F3": "[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy"})
    bare = book([*ANN, 32_975], more=["date_of_birth"])
    of_1904 = book([*ANN, 32_975 - 1_462], more=["date_of_birth"], formats={"E2": "dd/mm/yyyy"})
    of_1904.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    # An empty cell that a formula made a date, 29 February 1900, and midnight in Jakarta as a program wrote it in UTC.
    no_date = book(
        [*ANN, 0], [*BUDI, 60], ["W3", "Chen Wei", "chen@shop.example", "Regular Processing", None, 32_974 + 17 / 24],
        more=["date_of_expiry", "date_of_birth"], formats={cell: "dd/mm/yyyy" for cell in ("E2", "E3", "F4")})
    days = book([*ANN, 30], more=["stay_day"], formats={"E2": '0" days"'})
    numbers = book([1001, *ANN[1:], 12345678, 34, 600000001], more=["document_number", "country_code", "phone_number"])
    zeros = book([*ANN, 1234567], more=["document_number"], formats={"E2": "00000000"})
    amounts = book(
        [*ANN, "Stripe", "pay_1", 149, "USD"], [*BUDI, "Stripe", "pay_2", 149.5, "USD"],
        ["W3", "Chen Wei", "chen@shop.example", "Regular Processing", "Stripe", "pay_3", 3 * 16.6, "USD"],
        ["W4", "Dewi Lestari", "dewi@shop.example", "Regular Processing", "Stripe", "pay_4", 149 / 3, "USD"],
        more=pay, formats={"G%d" % n: '"$"#,##0.00' for n in range(2, 6)})
    truths = book([True, *ANN[1:]])
    two = book(ANN, sheet="March")
    two.create_sheet("April").append(HEAD)
    two["April"].append(BUDI)
    lists = book(sheet="Lists", head=["Visa types", "Countries"])
    lists.active.append(["C1", "Spain"])
    lists.active.sheet_state = "hidden"
    orders = lists.create_sheet("Orders")
    orders.append(HEAD)
    orders.append(ANN)
    lists.active = 1
    hidden = book([*ANN, "Spain"], [*BUDI, "Indonesia"], more=["nationality"])
    hidden.active.row_dimensions[3].hidden = True
    hidden.active.column_dimensions["E"].hidden = True
    hidden.active.auto_filter.ref = "A1:E3"
    merged = book(ANN, ["W2", "Ben Lee", None, "Regular Processing"])
    merged.active.merge_cells("C2:C3")
    gaps = openpyxl.Workbook()
    for number, cells in ((3, HEAD), (5, ANN), (8, ["W2", "Budi Santoso", "budi at shop", "Regular Processing"])):
        for column, value in enumerate(cells, 1):
            gaps.active.cell(number, column, value)
    gaps.active.cell(30, 2).number_format = "@"
    stray = book(ANN)
    stray.active.cell(1_048_576, 16_384).number_format = "0.00"

    rich = "".join(
        "<si>%s</si>" % item for item in (
            *("<t>%s</t>" % name for name in HEAD), "<t>W1</t>",
            '<t>\u5c71\u7530\u592a\u90ce</t><rPh sb="0" eb="2"><t>\u30e4\u30de\u30c0</t></rPh><rPh sb="2" eb="4"><t>\u30bf\u30ed\u30a6</t></rPh><phoneticPr fontId="0"/>',
            "<t>yamada@shop.example</t>", "<t>Regular Processing</t>", "<t>W2</t>",
            '<r><t xml:space="preserve">Anna </t></r><r><rPr><b/></rPr><t>Mar\u00eda</t></r><r><t xml:space="preserve"> Lee</t></r>',
            "<t>anna@shop.example</t>"))
    of_shared = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 7]]
    cells = [row(n, *('<c r="%s%d" t="s"><v>%d</v></c>' % ("ABCD"[c], n, index) for c, index in enumerate(r))) for n, r in enumerate(of_shared, 1)]
    sst = '<sst xmlns="%s" count="12" uniqueCount="11">%s</sst>' % (MAIN, rich)
    php = data("<row>%s</row>" % inline(*HEAD, "date_of_birth"), "<row>%s<c s=\"1\"><v>32975</v></c></row>" % inline(*ANN))
    escapes = data(
        row(1, inline(*HEAD)), row(2, inline("W_x005F_x0041_", "Ann O&apos;Neil_x000D_\n", "ann@shop.example", "Regular Processing")))
    results = data(
        row(1, inline(*HEAD, "date_of_birth")),
        row(2, '<c t="str"><f>"W"&amp;ROW()-1</f><v>W1</v></c><c t="str"><f aca="false">B9&amp;" "&amp;C9</f><v>Ann Lee</v></c>', inline(*ANN[2:]),
            '<c s="1"><f>DATE(1990,4,12)</f><v>32975</v></c>'))
    not_calculated = data(
        row(1, inline(*HEAD)), row(2, inline("W1"), '<c><f>F2&amp;" "&amp;G2</f></c>', inline(*ANN[2:])), row(3, inline(*BUDI)))
    errors = data(
        row(1, inline(*HEAD, "nationality")), row(2, inline(*ANN), '<c t="e"><f>VLOOKUP(A2,Z:Z,1)</f><v>#N/A</v></c>'),
        row(3, inline(*BUDI[:2]), '<c t="e"><v>#REF!</v></c>', inline(BUDI[3], "Indonesia")))
    quoted = data(
        row(1, inline(*HEAD, "document_number", "country_code", "phone_number")),
        row(2, inline(*ANN), '<c t="inlineStr" s="2"><is><t>00123456</t></is></c>', inline("34", "'+34600000001")))
    strict = data(row(1, inline(*HEAD, "date_of_birth")), row(2, inline(*ANN), '<c s="1" t="d"><v>1990-04-12</v></c>'))
    plain = data(row(1, inline(*HEAD)), row(2, inline(*ANN)))
    many = handmade({"Orders": data(row(1, inline(*HEAD)), row(2, inline(*ANN)), " " * 80_000_000)})
    laughs = "".join('<!ENTITY e%d "%s">' % (n, "&e%d;" % (n - 1) * 10 if n else "ha" * 5) for n in range(9))
    funny = '<?xml version="1.0"?><!DOCTYPE sst [%s]><sst xmlns="%s"><si><t>&e8;</t></si></sst>' % (laughs, MAIN)
    laughing = data(row(1, inline(*HEAD)), row(2, inline(ANN[0]), '<c t="s"><v>0</v></c>', inline(*ANN[2:])))
    macro = {"xl/vbaProject.bin": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + random.Random(1).randbytes(500)}
    macro_types = {part: xml.replace("spreadsheetml.sheet.main+xml", "x").replace(
        "application/vnd.openxmlformats-officedocument.x", "application/vnd.ms-excel.sheet.macroEnabled.main+xml")
        for part, xml in handmade({"Orders": plain}).items()}
    old = xlwt.Workbook()
    page = old.add_sheet("Orders")
    for n, values in enumerate((HEAD, ANN)):
        for c, value in enumerate(values):
            page.write(n, c, value)
    biff = io.BytesIO()
    old.save(biff)
    open_document = {
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "content.xml": '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:body><office:spreadsheet/>'
        "</office:body></office:document-content>",
        "META-INF/manifest.xml": '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
    }
    whole = saved(book(ANN))
    files("36-xlsx", {
        "dates-in-four-formats.xlsx": saved(dates),
        "number-without-a-date-format.xlsx": saved(bare),
        "dates-since-1904.xlsx": saved(of_1904),
        "dates-that-are-none.xlsx": saved(no_date),
        "format-with-letters-of-a-date.xlsx": saved(days),
        "numbers-in-columns-of-text.xlsx": saved(numbers),
        "zeros-shown-by-the-format.xlsx": saved(zeros),
        "amounts-as-numbers.xlsx": saved(amounts),
        "boolean-as-a-reference.xlsx": saved(truths),
        "orders-in-two-sheets.xlsx": saved(two),
        "hidden-sheet-of-lists-first.xlsx": saved(lists),
        "hidden-rows-and-columns.xlsx": saved(hidden),
        "merged-email-addresses.xlsx": saved(merged),
        "empty-rows.xlsx": saved(gaps),
        "formatted-last-cell-of-the-sheet.xlsx": saved(stray),
        "shared-strings-with-runs-and-phonetics.xlsx": archive(handmade({"Orders": data(*cells)}, shared=sst)),
        "cells-without-references.xlsx": archive(handmade({"Orders": php}, name="xl/worksheets/Sheet%d.xml")),
        "escaped-characters.xlsx": archive(handmade({"Orders": escapes})),
        "results-of-formulas.xlsx": archive(handmade({"Orders": results})),
        "formula-without-a-result.xlsx": archive(handmade({"Orders": not_calculated})),
        "errors-of-formulas.xlsx": archive(handmade({"Orders": errors})),
        "apostrophes-against-numbers.xlsx": archive(handmade({"Orders": quoted})),
        "strict-with-iso-dates.xlsx": archive(handmade(
            {"Orders": strict}, main="http://purl.oclc.org/ooxml/spreadsheetml/main", office="http://purl.oclc.org/ooxml/officeDocument/relationships")),
        "workbook-with-macros.xlsm": archive({**macro_types, **macro}),
        "protected-by-a-password.xlsx": encrypted(whole),
        "old-workbook-called-xlsx.xlsx": biff.getvalue(),
        "opendocument-called-xlsx.xlsx": archive(open_document),
        "sheet-that-understates-its-size.xlsx": lying(archive(many), b"xl/worksheets/sheet1.xml", 2_000),
        "archive-of-1800-entries.xlsx": crowded(archive(handmade({"Orders": plain})), 1_800),
        "entities-that-multiply.xlsx": archive(handmade({"Orders": laughing}, shared=funny)),
    })


# ---------------------------------------------------------------------------------------------------------------------------------
# 37: other files
# ---------------------------------------------------------------------------------------------------------------------------------


def signed_pdf():
    """A certified document (DocMDP) with a signature field and a store of certificates (DSS)."""
    blob = signed_message(b"", 37).hex()
    room = "<%s>" % blob
    signature = (
        "<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/M(D:20260101120000Z)/ByteRange[0 AAAAAAAAA BBBBBBBBB CCCCCCCCC]/Contents %s"
        "/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P 2/V/1.2>>>>]>>" % room)
    field = "<</Type/Annot/Subtype/Widget/FT/Sig/T(Signature1)/V 7 0 R/F 132/Rect[0 0 0 0]/P 3 0 R>>"
    whole = pdf(
        catalogue="/AcroForm<</Fields[6 0 R]/SigFlags 3>>/Perms<</DocMDP 7 0 R>>/DSS<</Certs[8 0 R]>>", page="/Annots[6 0 R]",
        more=[field, signature, stream(random.Random(8).randbytes(300))])
    start = whole.index(room.encode())
    end = start + len(room)
    for mark, value in ((b"AAAAAAAAA", start), (b"BBBBBBBBB", end), (b"CCCCCCCCC", len(whole) - end)):
        whole = whole.replace(mark, b"%-9d" % value)
    return whole


def many_pages(count):
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"
    kids = b" ".join(b"%d 0 R" % number for number in range(3, count + 3))
    return with_streams({
        1: b"<</Type/Catalog/Pages 2 0 R>>", 2: b"<</Type/Pages/Count %d/Kids[%s]>>" % (count, kids), **{n: page for n in range(3, count + 3)}})


def other_files():
    linear = io.BytesIO()
    with pikepdf.open(io.BytesIO(PLAIN)) as opened:
        opened.save(linear, linearize=True, static_id=True)
    box = "/MediaBox[0 0 595 842]"
    layer = "<</Type/OCG/Name(Stamp)>>"
    layers = "/OCProperties<</OCGs[6 0 R]/D<</Order[6 0 R]/OFF[]/AS[<</Event/View/Category[/View]/OCGs[6 0 R]>>]>>>>"
    whole, rows = jpeg(), rows_of(quadrants())
    film = struct.pack(">I", 24) + b"ftypmp42\0\0\0\0mp42isom" + struct.pack(">I", 1_000) + b"mdat" + random.Random(4).randbytes(992)
    motion = b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:Description GCamera:MotionPhoto='1'/></x:xmpmeta>"
    frames = [quadrants(), quadrants(colours=(LIGHT, BLUE, GREEN, RED))]
    cut_out = quadrants().convert("RGBA")
    cut_out.paste((0, 0, 0, 0), (16, 8, 32, 16))
    grey = [b"".join(struct.pack(">H", value * 257) for value in [40] * 16 + [200] * 16) for _ in range(16)]
    black = [b"\xff\xff\0\0"] * 16
    files("37-files", {
        "startxref-off-by-one.pdf": write(one_page(), start=lambda at: at + 1),
        "cross-reference-stream-off-by-one.pdf": with_streams(one_page(), shift=-1),
        "linearized.pdf": linear.getvalue(),
        "update-with-a-table.pdf": update(PLAIN, {4: stream(text("Statement of account, corrected")), 6: "<</Title(Statement)>>"}, "/Info 6 0 R"),
        "update-with-a-table-after-a-stream.pdf": update(
            with_streams(one_page()), {1: "<</Type/Catalog/Pages 2 0 R/Lang(en)>>"}),
        "signed-and-certified.pdf": signed_pdf(),
        "signed-and-zeros-behind.pdf": signed_pdf() + bytes(2_000),
        "two-hundred-pages.pdf": many_pages(200),
        "two-hundred-and-one-pages.pdf": many_pages(201),
        "page-of-no-size.pdf": PLAIN.replace(box.encode(), b"/MediaBox[0 0 000 000]"),
        "page-box-turned-round.pdf": PLAIN.replace(box.encode(), b"/MediaBox[595 842 0 0]"),
        "page-without-a-box.pdf": PLAIN.replace(box.encode(), b" " * len(box)),
        "page-of-20000-points.pdf": pdf(page="/UserUnit 2").replace(box.encode(), b"/MediaBox[0 0 2e4 2e4]".replace(b"2e4 2e4", b"20000 20000")),
        "layers.pdf": pdf(catalogue=layers, resources="/Properties<</MC0 6 0 R>>", more=[layer]),
        "progressive.jpg": jpeg(progressive=True),
        "orientation-that-does-not-exist.jpg": into_jpeg(whole, app(1, b"Exif\0\0" + exif(0))),
        "upside-down.png": png(rows, before=chunk(b"eXIf", exif(3))),
        "on-its-side.webp": extended(quadrants(), 0x08, (b"EXIF", exif(8))),
        "film-behind-a-photograph.jpg": into_jpeg(whole, app(1, motion)) + film,
        "archive-behind-a-photograph.jpg": whole + archive({"META-INF/MANIFEST.MF": "Main-Class: A\n"}),
        "grey-of-16-bits.png": png(grey, colour=0, depth=16),
        "black-and-white-of-1-bit.png": png(black, colour=0, depth=1),
        "cut-out-with-transparency.png": png(rows_of(cut_out), colour=6),
        "animated-png.png": encoded(frames[0], "PNG", save_all=True, append_images=frames[1:], duration=100),
        "animated-webp.webp": encoded(frames[0], "WEBP", save_all=True, append_images=frames[1:], duration=100, lossless=True),
        "animated-gif.gif": encoded(frames[0].quantize(4), "GIF", save_all=True, append_images=[frames[1].quantize(4)], duration=100),
        "scan.tiff": encoded(quadrants(), "TIFF", compression="tiff_lzw"),
        "bitmap.bmp": encoded(quadrants(8, 8), "BMP"),
        "photograph-as-avif.avif": encoded(quadrants(), "AVIF", quality=60, max_threads=1),
        "photograph-as-jxl.jxl": base64.b64decode("/woIELASCAgQAFwASxLFgkWAHL0xqnCBCV0qDp901Te/5QM="),
    })


if __name__ == "__main__":
    words_in_pdfs()
    frame_of_pdfs()
    pdfs_without_pages()
    keys_without_effect()
    protected_pdfs()
    frame_of_pictures()
    colour_profiles()
    spreadsheets()
    other_files()
