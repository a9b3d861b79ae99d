//! Orders: what an order is, which folder holds it, and finding it.
//!
//! - `status.rs`: what each status means. `rules.rs`: folders, and who may do what; `rules/changes.rs`: checks of changes; `rules/allowed.rs`: what a member may
//!   do with an order; `rules/undo.rs`: which changes are undone; `rules/refunds.rs`: which orders are refunded;
//!   `rules/refund_approvals.rs`: which refunds a second person approves; `rules/remarks.rs`: the text of remarks;
//!   `rules/duplicates.rs`: the facts that two orders share. `rules/fields.rs`: one field from outside; `rules/entered.rs`: what a customer
//!   enters; `rules/corrections.rs`: what of it is corrected; `rules/filling.rs`: what of it a file fills later; `rules/next_order.rs`: which
//!   order a member takes next.
//! - `errors.rs`: why a call about orders is refused.
//! - `search.rs`: folds stored text and search terms; `grams.rs`: the parts of them that indexes hold; `find.rs`: searches a list; `sample.rs`:
//!   estimates how common a term is; `search_texts.rs`: reads texts; `second_look.rs`: looks at the orders where a text does not decide;
//!   `rewriting.rs`: rewrites the texts of older rules; `remark_search.rs`: searches remarks; `found_in.rs`: says where an order has a term.
//! - `facts.rs`: the facts about an order; `new_order.rs`: creates orders; `bulk.rs`: loads many.
//! - `store.rs`: lists and counts; `selection.rs`: which orders a list holds; `rules/filter.rs`, `filtered.rs`, `requirements.rs`: which of them a filter admits; `far_pages.rs`: where a page far behind begins; `counters.rs`: the
//!   folder counters; `dialect.rs`: queries that differ between the databases; `numbers.rs`: counts over days; `days.rs`: counts of each
//!   day; `in_work.rs`: orders that need a member of staff; `new_orders.rs`: those that a member can take.
//! - `selected.rs`: the selected orders of a call. `moves.rs`: changes of owner and status; `undo.rs`: what orders were before them; `refunds.rs`: refunds, `refund_approvals.rs`: those
//!   that wait for a second person; `remarks.rs`: remarks of staff; `corrections.rs`: corrects what a customer entered and
//!   keeps the original.
//! - `purchases.rs`: orders bought from the same address or with the same device; `duplicates.rs`: orders that may share a fact.
//! - `sources.rs`: the sales sites that orders belong to. `presences.rs`: the members who have orders open; `workload.rs`: the open orders
//!   of each member.

pub mod bulk;
pub mod corrections;
pub mod counters;
pub mod days;
pub mod dialect;
pub mod duplicates;
pub mod errors;
pub mod facts;
pub mod far_pages;
pub mod filtered;
pub mod find;
pub mod found_in;
pub mod grams;
pub mod in_work;
pub mod kept;
pub mod moves;
pub mod new_order;
pub mod new_orders;
pub mod numbers;
pub mod presences;
pub mod purchases;
pub mod refund_approvals;
pub mod refunds;
pub mod remark_search;
pub mod remarks;
pub mod requirements;
pub mod rewriting;
pub mod rules;
pub mod sample;
pub mod search;
pub mod search_texts;
pub mod second_look;
pub mod selected;
pub mod selection;
pub mod sources;
pub mod status;
pub mod store;
pub mod undo;
pub mod walk;
pub mod workload;
