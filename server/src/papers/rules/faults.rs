//! The findings of a check that another file would correct.

use super::{FieldFinding, Finding, NotChecked, PaperField};
use crate::paper_requests::rules::PaperFault;

/// The faults of a paper that was checked.
pub fn of_findings(findings: &[FieldFinding]) -> Vec<PaperFault> {
    let fault = |finding: &FieldFinding| match (finding.field, finding.finding()) {
        (PaperField::Validity, Finding::Differs) => Some(PaperFault::ExpiresTooEarly),
        (PaperField::Pixels, Finding::Differs) => Some(PaperFault::TooSmall),
        (PaperField::Colour, Finding::Differs) => Some(PaperFault::NotColour),
        (PaperField::Sharpness, Finding::Look) => Some(PaperFault::Blurred),
        (PaperField::Border, Finding::Look) => Some(PaperFault::BackgroundUneven),
        // What was typed may be wrong as well, and the portal's version converts, shrinks and crops.
        _ => None,
    };
    let is_unread = |finding: &FieldFinding| finding.finding() == Finding::NotReadable;
    if !findings.is_empty() && findings.iter().all(is_unread) {
        return vec![PaperFault::LinesNotFound];
    }
    findings.iter().filter_map(fault).collect()
}

/// The fault of a paper that could not be checked; none: it is not the paper's.
pub fn of_not_checked(reason: NotChecked) -> Option<PaperFault> {
    match reason {
        NotChecked::NoLines => Some(PaperFault::LinesNotFound),
        NotChecked::Unreadable => Some(PaperFault::CannotOpen),
        NotChecked::SwitchedOff
        | NotChecked::NoTesseract
        | NotChecked::TooComplex
        | NotChecked::NotBuilt
        | NotChecked::GivenUp => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::rules::comparison::{Equal, Likeness};

    #[test]
    fn what_another_file_puts_right_is_a_fault_and_what_was_typed_is_not() {
        let finding = |field, result| FieldFinding::compared(field, String::new(), "", result);
        let met = Likeness::of(Equal::between(&1, &1));
        let found = [
            finding(PaperField::Surname, Likeness::Differs),
            finding(PaperField::Validity, Likeness::Differs),
            finding(PaperField::Format, Likeness::Look("a note")),
            finding(PaperField::Pixels, met),
            finding(PaperField::Colour, Likeness::Differs),
            finding(PaperField::Sharpness, Likeness::Look("a note")),
        ];
        let faults = [PaperFault::ExpiresTooEarly, PaperFault::NotColour, PaperFault::Blurred];
        assert_eq!(of_findings(&found), faults);
        let unread = [PaperField::Surname, PaperField::Number].map(|field| FieldFinding::not_readable(field, None));
        assert_eq!(of_findings(&unread), [PaperFault::LinesNotFound]);
        assert_eq!(of_findings(&[&unread[..], &found[..1]].concat()), [], "a part was read");
        let told: Vec<PaperFault> = NotChecked::ALL.iter().filter_map(|reason| of_not_checked(*reason)).collect();
        assert_eq!(told, [PaperFault::LinesNotFound, PaperFault::CannotOpen]);
    }
}
