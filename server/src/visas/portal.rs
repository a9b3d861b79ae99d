//! The government's portal as data: the order, the labels and the formats of its form, and its limits on files. It changes without notice, so
//! each figure has the source where it was read, and the file the day. What has no source is null: "not known".

use std::collections::HashSet;
use std::sync::LazyLock;

use chrono::NaiveDate;
use serde::Deserialize;
use strum::IntoStaticStr;

use super::errors::VisaError;

/// The known facts about the portal.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Portal {
    /// The day on which the sources were read.
    pub as_of: NaiveDate,
    pub form: PortalForm,
    pub photograph: PhotographFigures,
    /// The page of the passport with the data.
    pub passport_page: FileFigures,
    pub other_papers: FileFigures,
}

/// The form that an application is typed into.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortalForm {
    /// Where the order and the labels were read; none: not known.
    #[serde(deserialize_with = "present")]
    pub source: Option<String>,
    pub sections: Vec<PortalSection>,
}

/// A section of the form.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortalSection {
    pub title: String,
    pub fields: Vec<PortalField>,
}

/// A field of the form.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortalField {
    /// The order's value.
    pub field: FiledField,
    pub label: String,
    pub format: PortalFormat,
}

/// A value of an order that the form asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum FiledField {
    FullName,
    DocumentNumber,
    DocumentType,
    PassportFrom,
    DateOfExpiry,
    Sex,
    PlaceOfBirth,
    DateOfBirth,
    Nationality,
    ApplicationEmailAddress,
    Phone,
    VisaType,
    PurposeOfVisit,
    ArrivalDate,
    StayDay,
    ResidenceType,
    Address,
    PostalCode,
    Province,
    City,
}

/// The portal's spelling of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PortalFormat {
    Capitals,
    /// The English name of a country, in capitals.
    Country,
    /// DD/MM/YYYY.
    Date,
    /// Digits after a plus sign.
    Phone,
    AsTyped,
}

/// The limits of the applicant's photograph.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhotographFigures {
    /// Where they were read.
    pub source: String,
    /// Media types.
    pub formats: Vec<String>,
    /// In pixels.
    pub min_width: u32,
    /// In pixels.
    pub min_height: u32,
    pub max_bytes: usize,
    /// The photograph must be in colour.
    pub colour: bool,
}

/// The limits of another file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileFigures {
    /// Where they were read; none: nothing is known.
    #[serde(deserialize_with = "present")]
    pub source: Option<String>,
    /// Media types; none: not known.
    #[serde(deserialize_with = "present")]
    pub formats: Option<Vec<String>>,
    /// None: not known.
    #[serde(deserialize_with = "present")]
    pub max_bytes: Option<usize>,
}

/// Refuses a key that is missing: what is not known is said to be null.
fn present<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(from)
}

/// The types of files that figures may name.
const MEDIA_TYPES: [&str; 3] = ["image/jpeg", "image/png", "application/pdf"];

/// The file as it is.
const JSON: &str = include_str!("portal.json");

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the file is part of the binary, and a test reads it")]
    read(JSON).expect("portal.json is valid")
});

/// Returns the known facts about the portal.
pub fn get() -> &'static Portal {
    &PORTAL
}

/// Checks the file of this binary, as the server starts.
///
/// # Errors
/// [`VisaError::InvalidPortal`]
pub fn check() -> Result<(), VisaError> {
    read(JSON).map(|_| ())
}

/// Parses and checks such a file.
///
/// # Errors
/// [`VisaError::InvalidPortal`] names the first fault.
fn read(json: &str) -> Result<Portal, VisaError> {
    let invalid = VisaError::InvalidPortal;
    let portal: Portal = serde_json::from_str(json).map_err(|error| invalid(error.to_string()))?;
    match fault(&portal) {
        None => Ok(portal),
        Some(fault) => Err(invalid(fault)),
    }
}

fn fault(portal: &Portal) -> Option<String> {
    let Portal { form, photograph, passport_page, other_papers, .. } = portal;
    if form.sections.is_empty() {
        return Some("the form has no section".to_owned());
    }
    let mut known = HashSet::new();
    for PortalSection { title, fields } in &form.sections {
        if title.trim().is_empty() {
            return Some("a section has no title".to_owned());
        }
        if fields.is_empty() {
            return Some(format!("the section {title} has no field"));
        }
        for PortalField { field, label, .. } in fields {
            let name: &str = field.into();
            if label.trim().is_empty() {
                return Some(format!("the field {name} has no label"));
            }
            if !known.insert(field) {
                return Some(format!("the form has the field {name} twice"));
            }
        }
    }
    if photograph.source.trim().is_empty() {
        return Some("the limits of the photograph have no source".to_owned());
    }
    if photograph.min_width == 0 || photograph.min_height == 0 || photograph.max_bytes == 0 {
        return Some("a limit of the photograph is 0".to_owned());
    }
    if !photograph.formats.iter().any(|format| format == "image/jpeg") {
        return Some("the photograph may not be a JPEG, which the portal's version is".to_owned());
    }
    let named = photograph.formats.iter().chain(passport_page.formats.iter().flatten());
    if let Some(format) =
        named.chain(other_papers.formats.iter().flatten()).find(|format| !MEDIA_TYPES.contains(&format.as_str()))
    {
        return Some(format!("{format} is no type of file that orders have"));
    }
    let others = [("passport page", passport_page), ("other papers", other_papers)];
    others.into_iter().find_map(|(name, FileFigures { source, formats, max_bytes })| match source {
        Some(source) if source.trim().is_empty() => Some(format!("the source of the {name} is empty")),
        None if formats.is_some() || max_bytes.is_some() => Some(format!("a limit of the {name} has no source")),
        _ if *max_bytes == Some(0) => Some(format!("a limit of the {name} is 0")),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Why the file is refused after `change`.
    fn refused(change: impl FnOnce(&mut Value)) -> String {
        let mut file: Value = serde_json::from_str(JSON).unwrap();
        change(&mut file);
        read(&file.to_string()).unwrap_err().to_string()
    }

    #[test]
    fn the_file_of_this_program_is_valid_and_has_twenty_values() {
        check().unwrap();
        let count: usize = get().form.sections.iter().map(|section| section.fields.len()).sum();
        assert_eq!(count, 20);
        assert_eq!(get().photograph.min_width * 6, get().photograph.min_height * 4);
    }

    #[test]
    fn each_planted_fault_is_refused_by_name() {
        type Plant = fn(&mut Value);
        let planted: [(&str, Plant); 19] = [
            ("unknown field `pages`", |file| file["pages"] = json!(1)),
            ("unknown field `unit`", |file| file["photograph"]["unit"] = json!("mm")),
            ("missing field `max_bytes`", |file| _ = file["other_papers"].as_object_mut().unwrap().remove("max_bytes")),
            ("missing field `source`", |file| _ = file["form"].as_object_mut().unwrap().remove("source")),
            ("input contains invalid characters", |file| file["as_of"] = json!("yesterday")),
            ("unknown variant `shoe_size`", |file| {
                file["form"]["sections"][0]["fields"][0]["field"] = json!("shoe_size");
            }),
            ("unknown variant `small`", |file| file["form"]["sections"][0]["fields"][0]["format"] = json!("small")),
            ("the form has no section", |file| file["form"]["sections"] = json!([])),
            ("a section has no title", |file| file["form"]["sections"][1]["title"] = json!(" ")),
            ("the section Travel has no field", |file| file["form"]["sections"][2]["fields"] = json!([])),
            ("the field sex has no label", |file| file["form"]["sections"][1]["fields"][0]["label"] = json!("")),
            ("the form has the field full_name twice", |file| {
                file["form"]["sections"][1]["fields"][0]["field"] = json!("full_name");
            }),
            ("the limits of the photograph have no source", |file| file["photograph"]["source"] = json!("")),
            ("a limit of the photograph is 0", |file| file["photograph"]["min_width"] = json!(0)),
            ("the photograph may not be a JPEG", |file| file["photograph"]["formats"] = json!(["image/png"])),
            ("image/tiff is no type of file", |file| file["passport_page"]["formats"] = json!(["image/tiff"])),
            ("the source of the passport page is empty", |file| file["passport_page"]["source"] = json!(" ")),
            ("a limit of the other papers has no source", |file| file["other_papers"]["max_bytes"] = json!(400_000)),
            ("a limit of the passport page is 0", |file| file["passport_page"]["max_bytes"] = json!(0)),
        ];
        for (reason, plant) in planted {
            let refused = refused(plant);
            assert!(refused.starts_with("visas/portal.json: ") && refused.contains(reason), "{reason}: {refused}");
        }
    }
}
