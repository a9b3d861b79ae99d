use super::*;

fn config() -> Config {
    let mut config = Config { public_url: "https://desk.example/".into(), ..Config::default() };
    config.mail.from = "Visa Desk <visa@desk.example>".into();
    config
}

fn letter(full_name: &str) -> Letter {
    Letter {
        order_id: OrderId(100_001),
        full_name: full_name.into(),
        visa_type: Some("C1".into()),
        is_issued: true,
        has_page: true,
    }
}

#[test]
fn a_mail_greets_and_leads_to_the_order_s_page_in_both_its_parts() {
    let templates = Templates::open(&config()).unwrap();
    for kind in MailKind::ALL.iter().filter(|kind| !kind.asks_for_papers()) {
        let mail = templates.compose(*kind, &letter("ana_putri")).unwrap();
        assert!(mail.subject.ends_with("(VD-100001)"), "{kind}: {}", mail.subject);
        for part in [&mail.text, &mail.html] {
            assert!(part.contains("Dear ana putri,"), "{kind}: {part}");
            // A code is entered where it was asked for, and an address that was given up opens nothing.
            let has_link = part.contains("https://desk.example/track-order/MjAwMDAy");
            let wants_link = !matches!(kind, MailKind::TrackingCode | MailKind::AddressChanged);
            assert_eq!(has_link, wants_link, "{kind}: {part}");
            assert!(part.contains("Visa Desk") && part.contains("C1 Tourism Visit, Single Entry"), "{kind}: {part}");
        }
    }
}

#[test]
fn the_plain_text_is_laid_out_in_paragraphs() {
    let templates = Templates::open(&config()).unwrap();
    let mail = templates.compose(MailKind::Resend, &letter("Ana")).unwrap();
    let paragraphs: Vec<&str> = mail.text.trim_end().split("\n\n").collect();
    assert_eq!(paragraphs[0], "Dear Ana,");
    assert_eq!(paragraphs[2], "https://desk.example/track-order/MjAwMDAy");
    assert_eq!(paragraphs[4], "Visa Desk\nOrder VD-100001, C1 Tourism Visit, Single Entry");
    assert!(!mail.text.contains("\n\n\n"), "{}", mail.text);
}

#[test]
fn a_mail_says_only_of_an_issued_visa_that_it_is_ready() {
    let templates = Templates::open(&config()).unwrap();
    let mail = templates.compose(MailKind::Resend, &Letter { is_issued: false, ..letter("Ana") }).unwrap();
    assert!(
        !mail.subject.contains("ready") && !mail.text.contains("ready") && !mail.html.contains("ready"),
        "{mail:?}"
    );
}

#[test]
fn a_name_adds_no_element_and_no_link() {
    let templates = Templates::open(&config()).unwrap();
    let count = |html: &str, what: &str| html.matches(what).count();
    let plain = templates.compose(MailKind::Approval, &letter("Ana")).unwrap();
    for name in [
        "<a href=//evil>",
        "</td><img src=//x>",
        "{{7*7}}",
        "&#60;script",
        "evil.com",
        "javascript:",
        "https://evil.com",
        "\"><script>alert(1)</script>",
        "x\r\n\r\n<b>",
    ] {
        let mail = templates.compose(MailKind::Approval, &letter(name)).unwrap();
        for what in ["<", ">", "href=", "://", "src="] {
            assert_eq!(count(&mail.html, what), count(&plain.html, what), "{name}: {what}");
        }
        assert_eq!(count(&mail.text, "://"), 1, "{name}: {}", mail.text);
        for part in [&mail.subject, &mail.text, &mail.html] {
            assert!(!part.contains("evil.com") && !part.contains("49"), "{name}: {part}");
        }
    }
}

fn open_with(name: &str, source: &str) -> Result<Templates> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), source).unwrap();
    let mut config = config();
    config.mail.templates_dir = folder.path().display().to_string();
    Templates::open(&config)
}

#[test]
fn a_folder_of_one_s_own_replaces_templates_of_the_same_name() {
    let own = "Subject: Kabar baik ({{ order_number }})\n\nHalo {{ name or \"pemohon\" }}: {{ track_url }}\n";
    let templates = open_with("approval.txt", own).unwrap();
    let mail = templates.compose(MailKind::Approval, &letter("Ana")).unwrap();
    assert_eq!(mail.subject, "Kabar baik (VD-100001)");
    assert_eq!(mail.text, "Halo Ana: https://desk.example/track-order/MjAwMDAy\n");
    assert!(mail.html.contains("Good news") && mail.html.contains("<title>Kabar baik (VD-100001)</title>"));
    assert_eq!(templates.compose(MailKind::Refund, &letter("Ana")).unwrap().subject, "Your refund (VD-100001)");
}

#[test]
fn a_broken_template_is_refused_by_its_name() {
    for (name, source) in [
        ("approval.html", "{% if %}"),
        ("approval.html", "{{ nobody_knows_this }}"),
        ("refund.txt", "No subject\n\ntext"),
        ("refund.txt", "Subject: only"),
        ("refund.txt", "Subject: \n\ntext"),
        ("layout.html", "{% include 'nothing.html' %}"),
    ] {
        let refused = open_with(name, source).unwrap_err();
        assert!(refused.message().contains(name) || source.contains("nothing.html"), "{source}: {}", refused.message());
    }
    let mut config = config();
    config.mail.templates_dir = "/nowhere/at/all".into();
    assert!(Templates::open(&config).unwrap_err().message().contains("/nowhere/at/all"));
}
