//! The sheet of orders among the sheets of a workbook.

use std::io::Cursor;

use calamine::{DataRef, Reader, SheetType, Xlsx};

use super::outcome::WorkbookRefusal;
use super::values;
use crate::intake::import::columns;

/// A workbook in memory.
pub type Workbook<'a> = Xlsx<Cursor<&'a [u8]>>;

/// The columns of which a sheet of orders has one.
const EMAILS: [&str; 2] = ["contact_email_address", "user.email"];

/// The sheet that is imported.
#[derive(Debug, PartialEq, Eq)]
pub struct ChosenSheet {
    pub name: String,
    /// The names of the other sheets that have values.
    pub others: Vec<String>,
}

/// The likeness of the first row of a sheet to a header of orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum HeaderKind {
    Other,
    /// It names a field of an order, as a list of values does.
    Fields,
    /// It names the email address, without which there is no order.
    Orders,
}

/// Finds the sheet whose first row is most like a header of orders, visible or not. None if no sheet has values.
///
/// # Errors
/// If two sheets are alike in that, or a sheet cannot be read.
pub fn choose(workbook: &mut Workbook<'_>) -> Result<Option<ChosenSheet>, WorkbookRefusal> {
    let mut found = Vec::new();
    for sheet in workbook.sheets_metadata().to_vec() {
        if sheet.typ == SheetType::WorkSheet
            && let Some(header) = header(workbook, &sheet.name)?
        {
            found.push((sheet.name, kind(&header)));
        }
    }
    of_kinds(found)
}

fn of_kinds(found: Vec<(String, HeaderKind)>) -> Result<Option<ChosenSheet>, WorkbookRefusal> {
    let best = found.iter().map(|(_, kind)| *kind).max();
    let (mut chosen, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, kind)| Some(*kind) == best);
    let shown = |sheets: Vec<(String, HeaderKind)>| sheets.iter().map(|(name, _)| columns::name_of(name)).collect();
    match chosen.len() {
        0 | 1 => Ok(chosen.pop().map(|(name, _)| ChosenSheet { name, others: shown(others) })),
        _ => Err(WorkbookRefusal::SeveralSheets(shown(chosen))),
    }
}

fn kind(header: &[String]) -> HeaderKind {
    let names = |is_one: fn(&str) -> bool| header.iter().any(|name| is_one(name));
    if names(|name| EMAILS.contains(&name)) {
        HeaderKind::Orders
    } else if names(columns::is_known) {
        HeaderKind::Fields
    } else {
        HeaderKind::Other
    }
}

/// The values of the first row that has any. None if there is no such row.
fn header(workbook: &mut Workbook<'_>, sheet: &str) -> Result<Option<Vec<String>>, WorkbookRefusal> {
    let mut cells = workbook.worksheet_cells_reader(sheet)?;
    let (mut names, mut first_row) = (Vec::new(), None);
    while let Some(cell) = cells.next_cell()? {
        if *cell.get_value() == DataRef::Empty {
            continue;
        }
        let (row, _) = cell.get_position();
        if *first_row.get_or_insert(row) != row {
            break;
        }
        names.push(columns::name_of(&values::text(cell.get_value(), None, false)));
    }
    Ok(first_row.map(|_| names))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(sheets: &[(&str, &[&str])]) -> Result<Option<ChosenSheet>, WorkbookRefusal> {
        let of = |header: &&[&str]| kind(&header.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        of_kinds(sheets.iter().map(|(name, header)| ((*name).to_owned(), of(header))).collect())
    }

    #[test]
    fn orders_are_in_the_sheet_that_names_the_email_address() {
        let lists: (&str, &[&str]) = ("Lists", &["nationality", "sex"]);
        let notes: (&str, &[&str]) = ("Notes", &["Please call"]);
        let orders: (&str, &[&str]) = ("Orders", &["full_name", "user.email"]);
        let others = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let only = |name: &str, others| Ok(Some(ChosenSheet { name: name.to_owned(), others }));
        assert_eq!(chosen(&[lists, orders, notes]), only("Orders", others(&["Lists", "Notes"])));
        assert_eq!(chosen(&[notes, lists]), only("Lists", others(&["Notes"])));
        assert_eq!(chosen(&[notes]), only("Notes", Vec::new()));
        assert_eq!(chosen(&[]), Ok(None));
    }

    #[test]
    fn orders_in_two_sheets_are_refused_by_their_names() {
        let march: (&str, &[&str]) = ("March\u{200b}", &["contact_email_address"]);
        let april: (&str, &[&str]) = ("April", &["contact_email_address"]);
        let refused = chosen(&[march, april]).unwrap_err();
        assert!(refused.to_string().contains(": March, April."), "{refused}");
    }
}
