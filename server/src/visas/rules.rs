//! The rules of a visa type for a trip. Pure. They warn and refuse nothing, and each names its source: a rule without a source is not here.

use chrono::{Days, NaiveDate};
use serde::Serialize;
use utoipa::ToSchema;

use super::catalogue::{self, VisaType};
use super::errors::VisaError;
use crate::text::format_day;

/// When, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Trip {
    pub arrival_date: Option<NaiveDate>,
    /// The planned stay in days.
    pub stay_days: Option<i32>,
}

/// The warning of a rule about a trip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Warning {
    /// The rule.
    pub code: WarningCode,
    /// A text for people.
    pub text: String,
    /// Where the rule was read; null: it follows from the dates alone.
    pub source: Option<String>,
    /// When the source said so; null: unknown.
    #[schema(value_type = Option<String>, format = Date)]
    pub as_of: Option<NaiveDate>,
}

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// The government does not take the application yet.
    TooEarly,
    /// The day of arrival has passed.
    ArrivalPassed,
    /// The planned stay is longer than one entry allows.
    StayTooLong,
}

/// The first day on which the government takes an application for an arrival on that day. None: not known.
pub fn first_day(visa: &VisaType, arrival: NaiveDate) -> Option<NaiveDate> {
    let window = visa.window.as_ref()?;
    arrival.checked_sub_days(Days::new(window.days_before_arrival.into()))
}

/// The day for which an order of a code in `codes` waits, whatever its processing date says: [`first_day`]. None: the processing date counts.
pub fn release_day(codes: &[String], visa_type: Option<&str>, arrival: Option<NaiveDate>) -> Option<NaiveDate> {
    let visa = catalogue::issued_for(visa_type?).filter(|visa| codes.contains(&visa.code))?;
    first_day(visa, arrival?)
}

/// Returns the warnings of the rules of `visa` about `trip` on the day `today`.
pub fn warnings(visa: &VisaType, trip: Trip, today: NaiveDate) -> Vec<Warning> {
    let too_early = || {
        let (arrival, window) = (trip.arrival_date?, visa.window.as_ref()?);
        let first = first_day(visa, arrival).filter(|first| today < *first)?;
        Some(Warning {
            code: WarningCode::TooEarly,
            text: format!(
                "Apply from {} on: the government takes applications for {} at most {} days before arrival.",
                format_day(first),
                visa.code,
                window.days_before_arrival
            ),
            source: Some(window.source.clone()),
            as_of: Some(window.as_of),
        })
    };
    let arrival_passed = || {
        let arrival = trip.arrival_date.filter(|arrival| *arrival < today)?;
        Some(Warning {
            code: WarningCode::ArrivalPassed,
            text: format!(
                "The day of arrival, {}, has passed. Ask the applicant for the new one.",
                format_day(arrival)
            ),
            source: None,
            as_of: None,
        })
    };
    let stay_too_long = || {
        let (planned, allowed) = (u32::try_from(trip.stay_days?).ok()?, visa.stay_days?);
        (planned > allowed).then(|| Warning {
            code: WarningCode::StayTooLong,
            text: format!(
                "{} allows a stay of {allowed} days, and {planned} are planned. Ask the applicant, or choose another visa.",
                visa.code
            ),
            source: visa.sources.first().cloned(),
            as_of: None,
        })
    };
    [too_early(), arrival_passed(), stay_too_long()].into_iter().flatten().collect()
}

/// Refuses a code in `release_by_window` for which [`first_day`] is not known.
///
/// # Errors
/// [`VisaError::WindowNotKnown`]
pub fn check_release(codes: &[String]) -> Result<(), VisaError> {
    let known = || catalogue::codes().filter(|(code, visa)| *code == visa.code && visa.window.is_some());
    match codes.iter().find(|code| known().all(|(known, _)| known != *code)) {
        None => Ok(()),
        Some(code) => {
            let known = known().map(|(code, _)| code).collect::<Vec<_>>().join(", ");
            Err(VisaError::WindowNotKnown { code: code.clone(), known })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn codes(code: &str, arrival: Option<&str>, stay_days: Option<i32>, today: &str) -> Vec<WarningCode> {
        let trip = Trip { arrival_date: arrival.map(day), stay_days };
        let found = warnings(catalogue::find(code).unwrap(), trip, day(today));
        found.into_iter().map(|warning| warning.code).collect()
    }

    #[test]
    fn an_application_is_too_early_until_ninety_days_before_arrival() {
        let visa = catalogue::find("B1").unwrap();
        assert_eq!(first_day(visa, day("2027-03-31")), Some(day("2026-12-31")));
        assert_eq!(codes("B1", Some("2027-03-31"), None, "2026-12-30"), [WarningCode::TooEarly]);
        assert_eq!(codes("B1", Some("2027-03-31"), None, "2026-12-31"), []);
        assert_eq!(codes("C1", Some("2029-03-31"), None, "2026-12-30"), [], "no source says when");
        assert_eq!(codes("B1", None, None, "2026-12-30"), []);
        let trip = Trip { arrival_date: Some(day("2027-03-31")), stay_days: None };
        let found = warnings(visa, trip, day("2026-12-30"));
        assert_eq!(
            found[0].text,
            "Apply from 31-12-2026 on: the government takes applications for B1 at most 90 days before arrival."
        );
        assert!(found[0].source.is_some() && found[0].as_of.is_some());
    }

    #[test]
    fn an_arrival_may_be_today_and_a_stay_as_long_as_the_visa_allows() {
        assert_eq!(codes("C1", Some("2026-12-30"), Some(60), "2026-12-30"), []);
        assert_eq!(
            codes("C1", Some("2026-12-29"), Some(61), "2026-12-30"),
            [WarningCode::ArrivalPassed, WarningCode::StayTooLong]
        );
        assert_eq!(codes("E33", None, Some(3_650), "2026-12-30"), []);
    }

    #[test]
    fn only_codes_whose_window_is_known_are_released_by_it() {
        assert!(check_release(&[]).is_ok() && check_release(&["B1".to_owned()]).is_ok());
        let refused = check_release(&["B1".to_owned(), "C1".to_owned()]).unwrap_err().to_string();
        assert!(refused.contains("C1") && refused.ends_with("only for: B1"), "{refused}");
    }
}
