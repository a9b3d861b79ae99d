//! Describes a device from its user agent. Versions that browsers froze, to reveal less about their users, are left out rather
//! than shown as facts.

use std::sync::LazyLock;

use ua_parser::{Extractor, Regexes};

use crate::characters::is_unseen;

/// The patterns of the ua-parser project (uap-core, Apache-2.0), in the version that its crate carries.
const PATTERNS: &str = include_str!("devices/user_agents.json");

/// Takes a third of a second and 26 MB, so it is created for the first request.
static EXTRACTOR: LazyLock<Extractor<'static>> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the file is part of the binary, and a test reads it")]
    let patterns: Regexes<'static> = serde_json::from_str(PATTERNS).expect("user_agents.json fits its types");
    #[expect(clippy::expect_used, reason = "the file is part of the binary, and a test reads it")]
    Extractor::try_from(patterns).expect("the patterns of user_agents.json can be compiled")
});

/// The longest user agent that is parsed and stored, in characters.
const MAX_USER_AGENT_LEN: usize = 512;
/// The longest name of a device, browser or system.
const MAX_NAME_LEN: usize = 60;

/// Mail scanners, image proxies and link previews, in lower case.
const AUTOMATED: [&str; 26] = [
    "googleimageproxy",
    "ggpht.com",
    "yahoomailproxy",
    "google-safety",
    "google-read-aloud",
    "googlebot",
    "bingbot",
    "bingpreview",
    "safelinks",
    "microsoft office existence discovery",
    "skypeuripreview",
    "barracuda",
    "proofpoint",
    "mimecast",
    "fireeye",
    "messagelabs",
    "slackbot",
    "slack-imgproxy",
    "whatsapp/",
    "facebookexternalhit",
    "facebot",
    "telegrambot",
    "twitterbot",
    "linkedinbot",
    "discordbot",
    "iframely",
];

/// A browser and its device. Unknown values are `Unknown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    pub device: String,
    /// `Mobile`, `Tablet`, `Desktop`, `Bot` or `Unknown`.
    pub device_type: &'static str,
    pub browser: String,
    pub os: String,
    /// True if the request was automated: a mail scanner, a link preview, a prefetch.
    pub automated: bool,
}

/// The user agent as it is stored: at most 512 characters, none of them invisible. None if it is blank.
pub fn clean(user_agent: &str) -> Option<String> {
    let clean: String = user_agent.chars().filter(|one| !is_unseen(*one)).take(MAX_USER_AGENT_LEN).collect();
    Some(clean).filter(|clean| !clean.trim().is_empty())
}

/// Describes `user_agent`. `purpose` is the purpose headers of the request, such as `prefetch`. Takes up to a millisecond, and much
/// longer the first time: call it off the async threads.
pub fn describe(user_agent: &str, purpose: &str) -> Device {
    let (browser, os, device) = EXTRACTOR.extract(user_agent);
    let family = device.as_ref().map_or("Other", |device| &device.device);
    let (lower, purpose) = (user_agent.to_lowercase(), purpose.to_lowercase());
    let automated = family == "Spider"
        || AUTOMATED.iter().any(|name| lower.contains(name))
        || ["prefetch", "prerender", "preview"].iter().any(|ahead| purpose.contains(ahead));
    let device_type = if automated { "Bot" } else { device_type(&lower, family) };
    let os = os.map(|os| shown_os(&os.os, os.major.as_deref(), os.minor.as_deref()));
    let browser = browser.map(|browser| versioned(&browser.family, browser.major, None));
    Device {
        device: name(shown_device(family, device_type)),
        device_type,
        browser: name(browser.as_deref().unwrap_or("Other")),
        os: name(os.as_deref().unwrap_or("Other")),
        automated,
    }
}

/// The browser and its system without their versions, which change by themselves: `Chrome on Windows`. Takes as long as [`describe`].
pub fn family(user_agent: &str) -> String {
    let (browser, os, _) = EXTRACTOR.extract(user_agent);
    let browser = browser.as_ref().map_or("Other", |browser| &*browser.family);
    let os = os.as_ref().map_or_else(|| "Other".to_owned(), |os| shown_os(&os.os, None, None));
    format!("{} on {}", name(browser), name(&os))
}

fn device_type(user_agent: &str, family: &str) -> &'static str {
    let says = |words: &[&str]| words.iter().any(|word| user_agent.contains(word));
    if family == "iPad" || says(&["ipad", "tablet"]) || says(&["android"]) && !says(&["mobi"]) {
        "Tablet"
    } else if says(&["mobi", "iphone", "android"]) {
        "Mobile"
    } else if says(&["windows nt", "macintosh", "x11", "cros", "linux"]) {
        "Desktop"
    } else {
        "Unknown"
    }
}

fn shown_device<'a>(family: &'a str, device_type: &'static str) -> &'a str {
    match (family, device_type) {
        ("Spider" | "Other", "Bot") => "Automated",
        // Browsers send `K` in place of every model.
        ("Other" | "K" | "Generic Smartphone" | "Generic Tablet" | "Generic Feature Phone", "Mobile") => "Phone",
        ("Other" | "K" | "Generic Smartphone" | "Generic Tablet", "Tablet") => "Tablet",
        ("Other", "Desktop") => "Computer",
        (family, _) => family,
    }
}

fn shown_os(family: &str, major: Option<&str>, minor: Option<&str>) -> String {
    let family = if family == "Mac OS X" { "macOS" } else { family };
    match (family, major, minor) {
        // Later versions send the same values.
        ("Windows" | "Android", Some("10"), _)
        | ("macOS", Some("10"), Some("15"))
        | ("iOS", Some("18"), Some("6" | "7"))
        | ("Chrome OS", ..) => family.to_owned(),
        ("iOS" | "macOS", ..) => versioned(family, major, minor),
        _ => versioned(family, major, None),
    }
}

fn versioned(family: &str, major: Option<&str>, minor: Option<&str>) -> String {
    match (major, minor) {
        (Some(major), Some(minor)) => format!("{family} {major}.{minor}"),
        (Some(major), None) => format!("{family} {major}"),
        (None, _) => family.to_owned(),
    }
}

fn name(text: &str) -> String {
    match text {
        "" | "Other" => "Unknown".to_owned(),
        text => text.chars().take(MAX_NAME_LEN).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(user_agent: &str) -> String {
        let Device { device, device_type, browser, os, automated } = describe(user_agent, "");
        format!("{device} | {device_type} | {browser} | {os}{}", if automated { " | automated" } else { "" })
    }

    #[test]
    fn browsers_are_distinguished_and_no_version_is_invented() {
        let chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0";
        let webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
        for (user_agent, expected) in [
            (
                format!("Mozilla/5.0 (Linux; Android 10; K) {chrome} Mobile Safari/537.36"),
                "Phone | Mobile | Chrome Mobile 138 | Android",
            ),
            (
                format!("Mozilla/5.0 (Linux; Android 15; Pixel 9) {chrome} Mobile Safari/537.36"),
                "Pixel 9 | Mobile | Chrome Mobile 138 | Android 15",
            ),
            (
                format!("Mozilla/5.0 (Linux; Android 10; K) {chrome} Safari/537.36"),
                "Tablet | Tablet | Chrome 138 | Android",
            ),
            (
                format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) {chrome} Safari/537.36"),
                "Computer | Desktop | Chrome 138 | Windows",
            ),
            (
                format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) {chrome} Safari/537.36 Edg/138.0.0.0"),
                "Computer | Desktop | Edge 138 | Windows",
            ),
            (
                format!("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {chrome} Safari/537.36"),
                "Computer | Desktop | Chrome 138 | Chrome OS",
            ),
            (
                format!("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {webkit} Version/26.0 Safari/605.1.15"),
                "Mac | Desktop | Safari 26 | macOS",
            ),
            (
                format!(
                    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) {webkit} Version/18.5 Mobile/15E148 Safari/604.1"
                ),
                "iPhone | Mobile | Mobile Safari 18 | iOS 18.5",
            ),
            (
                format!(
                    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) {webkit} Version/26.0 Mobile/15E148 Safari/604.1"
                ),
                "iPhone | Mobile | Mobile Safari 26 | iOS",
            ),
            (
                format!(
                    "Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) {webkit} Version/17.4 Mobile/15E148 Safari/604.1"
                ),
                "iPad | Tablet | Mobile Safari 17 | iOS 17.4",
            ),
            (
                "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0".into(),
                "Phone | Mobile | Firefox Mobile 140 | Android 14",
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0".into(),
                "Computer | Desktop | Firefox 140 | Linux",
            ),
            (
                format!("Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 50) {chrome} Mobile Safari/537.36"),
                "NOTE 50 | Mobile | Chrome Mobile 138 | Android 13",
            ),
            (
                format!("Mozilla/5.0 (X11; Linux x86_64) {chrome} Safari/537.36").replace("Chrome", "HeadlessChrome"),
                "Computer | Desktop | HeadlessChrome 138 | Linux",
            ),
            (String::new(), "Unknown | Unknown | Unknown | Unknown"),
            ("x".repeat(512), "Unknown | Unknown | Unknown | Unknown"),
        ] {
            assert_eq!(summary(&user_agent), expected, "{user_agent}");
        }
    }

    #[test]
    fn a_browser_and_its_system_keep_their_name_through_updates() {
        for version in [138, 151] {
            let chrome = format!("AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version}.0.0.0 Safari/537.36");
            assert_eq!(family(&format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) {chrome}")), "Chrome on Windows");
            let edge = format!("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_{version}_7) {chrome} Edg/{version}.0.0.0");
            assert_eq!(family(&edge), "Edge on macOS");
        }
        assert_eq!(family(""), "Unknown on Unknown");
    }

    #[test]
    fn scanners_previews_and_robots_are_automated() {
        for user_agent in [
            "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
            "Mozilla/5.0 (compatible; Microsoft SafeLinks)",
            "Mozilla/5.0 (compatible; BarracudaCentral/1.0)",
            "Mozilla/5.0 (Windows NT 10.0) Proofpoint URL Defense",
            "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
            "WhatsApp/2.24.1.78 A",
            "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
            "TelegramBot (like TwitterBot)",
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
        ] {
            let device = describe(user_agent, "");
            assert!(device.automated && device.device_type == "Bot", "{user_agent}: {device:?}");
        }
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        for ahead in ["prefetch", "prefetch;prerender", "Preview"] {
            assert!(describe(firefox, ahead).automated, "{ahead}");
        }
    }

    #[test]
    fn a_stored_user_agent_is_bounded() {
        assert_eq!(clean(&"é".repeat(600)).map(|clean| clean.chars().count()), Some(512));
        assert_eq!(clean("a\tb\u{202e}c"), Some("abc".into()));
        assert_eq!(clean(" \t"), None);
    }
}
