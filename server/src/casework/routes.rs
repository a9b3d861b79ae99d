//! The calls of casework, by the tag under which the contract lists them.

use super::{Casework, ask_for_papers, leaving, mailed_links, moves, owners, taking, workload};
use crate::http::routes::Routes;

/// The calls of casework.
pub fn routes() -> Routes<Casework> {
    vec![
        (
            "Orders",
            moves::endpoints().merge(owners::endpoints()).merge(taking::endpoints()).merge(workload::endpoints()),
        ),
        ("Documents", ask_for_papers::endpoints()),
        ("Team", leaving::endpoints()),
        ("Mail", mailed_links::endpoints()),
    ]
}
