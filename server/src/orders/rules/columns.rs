//! The columns of the lists (spec §2). Pure.

use super::Folder;
use crate::text_enum;

text_enum! {
    /// A column of a list.
    pub enum Column {
        OrderId = "order_id",
        Name = "full_name",
        Email = "email",
        Telephone = "telephone",
        CreatedAt = "created_at",
        RefundDate = "refund_date",
        ProcessingDate = "processing_date",
        ProcessMonth = "process_month",
        Owner = "owner",
        Status = "status",
    }
}

/// The columns of a folder with their titles, in order: those of spec §2, and the owner before the status where a list has orders of several
/// members. The actions of a row have no column here.
pub fn columns(folder: Folder) -> &'static [(Column, &'static str)] {
    use Column::{CreatedAt, Email, Name, OrderId, Owner, ProcessMonth, ProcessingDate, RefundDate, Status, Telephone};
    match folder {
        Folder::ContactCustomer => &[
            (OrderId, "Order Id"),
            (Name, "Name"),
            (Email, "Email"),
            (CreatedAt, "Date & Time"),
            (Owner, "Owner"),
            (Status, "Status"),
        ],
        Folder::Refund => &[
            (OrderId, "Order Id"),
            (Email, "Email"),
            (Telephone, "Telephone"),
            (CreatedAt, "Date & Time"),
            (RefundDate, "Refund Date"),
            (Status, "Status"),
        ],
        Folder::ChargeBack => &[
            (OrderId, "Order Id"),
            (Email, "Email"),
            (Telephone, "Telephone"),
            (CreatedAt, "Date and Time"),
            (Owner, "Owner"),
            (Status, "Status"),
        ],
        Folder::Future => &[
            (OrderId, "Order ID"),
            (Name, "Name"),
            (Email, "Email"),
            (Telephone, "Telephone"),
            (CreatedAt, "Date and Time"),
            (ProcessingDate, "Processing Date"),
            (ProcessMonth, "Process Month"),
            (Status, "Status"),
        ],
        // Orders of several members are in one list, some of them nobody's.
        Folder::All | Folder::Awaiting | Folder::AwaitingGovt | Folder::CustomerCalled => &[
            (OrderId, "Order Id"),
            (Name, "Name"),
            (Email, "Email"),
            (Telephone, "Telephone"),
            (CreatedAt, "Date & Time"),
            (Owner, "Owner"),
            (Status, "Status"),
        ],
        Folder::New | Folder::Priority | Folder::My | Folder::Pending | Folder::Completed | Folder::Deleted => &[
            (OrderId, "Order Id"),
            (Name, "Name"),
            (Email, "Email"),
            (Telephone, "Telephone"),
            (CreatedAt, "Date & Time"),
            (Status, "Status"),
        ],
    }
}

/// A member may hide the column. The columns by which an order is recognized cannot be hidden.
fn may_be_hidden(column: Column) -> bool {
    use Column::{Email, Owner, ProcessMonth, ProcessingDate, RefundDate, Telephone};
    matches!(column, Email | Telephone | RefundDate | ProcessingDate | ProcessMonth | Owner)
}

/// A member may hide the column of that name in the folder.
pub fn may_hide(folder: Folder, name: &str) -> bool {
    let in_folder = |column: Column| columns(folder).iter().any(|(known, _)| *known == column);
    Column::parse(name).is_some_and(|column| may_be_hidden(column) && in_folder(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_customer_has_no_telephone_to_show_or_to_hide() {
        for (folder, name) in Folder::ALL {
            let has_telephone = columns(folder).iter().any(|(column, _)| *column == Column::Telephone);
            assert_eq!(has_telephone, folder.shows_telephone(), "{name}");
            assert_eq!(may_hide(folder, "telephone"), folder.shows_telephone(), "{name}");
        }
    }

    #[test]
    fn id_name_date_and_status_are_always_shown() {
        for (folder, name) in Folder::ALL {
            for column in ["order_id", "full_name", "created_at", "status", "action", ""] {
                assert!(!may_hide(folder, column), "{name}: {column}");
            }
            assert!(may_hide(folder, "email"), "{name}");
        }
        assert!(may_hide(Folder::Future, "process_month") && !may_hide(Folder::New, "process_month"));
        assert!(may_hide(Folder::Refund, "refund_date") && !may_hide(Folder::ChargeBack, "refund_date"));
    }
}
