//! The Typst templates of packs. They are built in; `chargebacks.templates_dir` may replace any of them.

use std::collections::BTreeMap;
use std::path::Path;

use super::errors::PackError;
use super::rules::{LETTER_END, PackType, fits};
use crate::config::Config;
use crate::error::Result;
use crate::pdf::{self, Job, Typeset};
use crate::timestamp::Timestamp;

/// The built-in templates, by the file name that replaces each.
const BUILT_IN: [(&str, &str); 3] = [
    ("layout.typ", include_str!("../../../templates/packs/layout.typ")),
    ("letter.typ", include_str!("../../../templates/packs/letter.typ")),
    ("mails.typ", include_str!("../../../templates/packs/mails.typ")),
];

/// Sample facts, by which templates are tested, and which document what templates may use.
const EXAMPLES: [(PackType, &str); 2] = [
    (PackType::Letter, include_str!("../../../templates/packs/letter.json")),
    (PackType::Mails, include_str!("../../../templates/packs/mails.json")),
];

/// The templates of this installation.
#[derive(Debug)]
pub struct PackTemplates {
    sources: BTreeMap<String, String>,
}

impl PackTemplates {
    /// Reads the templates. If a folder is configured, both packs are typeset with `program`, which must be this program; that takes up
    /// to a few seconds.
    ///
    /// # Errors
    /// [`PackError`] names the template that is broken.
    pub fn open(config: &Config, program: &Path) -> Result<Self> {
        let folder = config.chargebacks.templates_dir.as_str();
        let mut sources = BTreeMap::new();
        for (name, built_in) in BUILT_IN {
            let source = own(folder, name)?.unwrap_or_else(|| built_in.to_owned());
            sources.insert(name.to_owned(), source);
        }
        let templates = Self { sources };
        if !folder.is_empty() {
            templates.try_all(program)?;
        }
        Ok(templates)
    }

    fn try_all(&self, program: &Path) -> Result<()> {
        let refuse = |what: String| Err(PackError::InvalidPackTemplate(what).into());
        for (pack_type, example) in EXAMPLES {
            let (title, most) = (pack_type.title(), pack_type.max_pages());
            let job = self.job(pack_type, example.to_owned(), Timestamp::EPOCH);
            match pdf::typeset_now(program, &job)? {
                Typeset::Done(pdf) if fits(pack_type, &pdf) => {}
                Typeset::Done(pdf) => {
                    return refuse(format!("{title} takes {} pages of at most {most}, and its letter one", pdf.pages));
                }
                Typeset::NotShown(pieces) => {
                    return refuse(format!("{title} contains characters that no font has: {}", pieces.join(" ")));
                }
                Typeset::Broken(what) => return refuse(what),
            }
        }
        Ok(())
    }

    /// The sources of all templates, by file name.
    pub fn sources(&self) -> &BTreeMap<String, String> {
        &self.sources
    }

    /// The job that typesets a pack with these facts, as JSON text.
    pub fn job(&self, pack_type: PackType, facts: String, made_at: Timestamp) -> Job {
        let main = match pack_type {
            PackType::Letter => "letter.typ",
            PackType::Mails => "mails.typ",
        };
        let labels = vec![LETTER_END.to_owned()];
        Job { main: main.to_owned(), sources: self.sources.clone(), facts, made_at, labels }
    }
}

/// The template of that name in `folder`, if there is one.
fn own(folder: &str, name: &str) -> Result<Option<String>> {
    if folder.is_empty() {
        return Ok(None);
    }
    let folder = Path::new(folder);
    if !folder.is_dir() {
        return Err(PackError::PackTemplatesFolderMissing(folder.into()).into());
    }
    let file = folder.join(name);
    match std::fs::read_to_string(&file) {
        Ok(source) => Ok(Some(source)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(PackError::PackTemplateUnreadable { file, error }.into()),
    }
}
