//! Seeds a database with invented orders, to try the product and to measure it. The same number, seed and day (of the agency's
//! zone) give the same rows and files: nothing depends on the time of day.
//!
//! - `seed/people.rs`: applicants. `seed/story.rs`: the history of one order. `seed/pictures.rs`: files for the newest orders.
//! - `seed/disputes.rs`: chargebacks. `seed/rows.rs`: the rows beside the orders. `seed/chance.rs`: random choices.

mod chance;
mod disputes;
mod people;
mod pictures;
mod rows;
mod story;
mod world;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use indicatif::{ProgressBar, ProgressStyle};

use self::rows::GeneratedOrder;
use self::world::World;
use super::errors::DemoError;
use crate::audit::store::Actor;
use crate::calendar;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::{Conn, Db};
use crate::documents::kinds::VISA;
use crate::documents::rules::{NeededDocument, needed_documents};
use crate::documents::store::{self as documents_store, DocumentRow};
use crate::email::Email;
use crate::error::{Error, Permission, Result};
use crate::files::{Files, StoredContent};
use crate::ids::{OrderId, StaffId};
use crate::orders::bulk;
use crate::orders::new_order::{self, NumberedOrder, SearchTexts};
use crate::orders::status::ProcessStatus;
use crate::orders::store as orders;
use crate::staff::passwords::StoredHash;
use crate::staff::rules::StaffType;
use crate::staff::store::{self as staff, Profile};
use crate::text::PersonName;
use crate::timestamp::Timestamp;

/// The number of newest orders that get real files.
const WITH_FILES: u64 = 1_000;

/// The first order id of a new database.
const FIRST_ID: i64 = 100_001;

/// Orders in one batch of statements, and in one commit on SQLite.
const BATCH: u64 = 2_000;
const COMMIT: u64 = 20_000;

/// The number of orders to invent, and the seed.
#[derive(Clone, Copy, Debug)]
pub struct Seed {
    pub orders: u64,
    pub seed: u64,
}

/// Seeds an empty database.
///
/// # Errors
/// [`DemoError::DatabaseNotEmpty`].
pub async fn run(db: &Db, files: &Files, clock: &Clock, config: &Config, what: Seed) -> Result<()> {
    if !db.read(orders::is_empty).await? {
        return Err(DemoError::DatabaseNotEmpty.into());
    }
    let (today, terms) = (clock.today(config.time_zone), config.chargebacks.clone());
    let until = calendar::start(today, config.time_zone);
    let staff = db.write(move |tx| staff_ids(tx, until)).await?;
    let world = Arc::new(World { seed: what.seed, orders: what.orders, until, today, terms, staff });
    let documents = Arc::new(draw(files, &world).await?);
    load(db, &world, &documents).await?;
    db.tidy_up().await
}

/// The ids of the members of staff; if there are none, adds some who cannot sign in.
fn staff_ids(tx: &mut Conn, now: Timestamp) -> Result<Vec<StaffId>> {
    if staff::list(tx)?.is_empty() {
        for name in ["Agus", "Dewi", "Ketut", "Wayan"] {
            let email = format!("{}@example.com", name.to_lowercase());
            let profile = Profile {
                name: PersonName::parse(name, "a name")?,
                email: Email::parse(&email).ok_or_else(|| Error::internal("an address of the demo"))?,
                staff_type: StaffType::Team,
            };
            staff::add(tx, &profile, &StoredHash::unusable(), "demo", now)?;
        }
    }
    let mut ids: Vec<StaffId> = staff::list(tx)?.iter().map(|member| member.staff_id).collect();
    ids.sort_unstable();
    Ok(ids)
}

/// Draws and stores the files of the newest orders, and returns their rows by the running number of the order.
async fn draw(files: &Files, world: &Arc<World>) -> Result<HashMap<u64, Vec<DocumentRow>>> {
    let newest = world.orders.saturating_sub(WITH_FILES)..world.orders;
    let mut drawn: Vec<(u64, DocumentRow)> = stream::iter(newest)
        .map(|number| {
            let world = Arc::clone(world);
            async move {
                let pictures = tokio::task::spawn_blocking(move || pictures_of(&world, number));
                store(files, number, pictures.await.map_err(Error::internal)??).await
            }
        })
        .buffer_unordered(16)
        .try_collect::<Vec<_>>()
        .await?
        .into_iter()
        .flatten()
        .collect();
    drawn.sort_by_key(|(number, _)| *number);
    let mut documents: HashMap<u64, Vec<DocumentRow>> = HashMap::new();
    for (document_id, (number, row)) in (1..).zip(drawn) {
        documents.entry(number).or_default().push(DocumentRow { document_id, ..row });
    }
    Ok(documents)
}

/// A drawn file: its row, not yet stored, and its content.
type Picture = (DocumentRow, Vec<u8>);

fn pictures_of(world: &World, number: u64) -> Result<Vec<Picture>> {
    use rand::RngExt;
    let story::Story { order, mut rng, .. } = story::generate(world, number);
    let photo = pictures::portrait(&mut rng)?;
    // Passport and photo are always there; of the others some are missing.
    let needed = needed_documents(order.visa_type.as_deref().unwrap_or_default());
    let others: Vec<&NeededDocument> = needed
        .iter()
        .filter(|needed| needed.required && needed.kind == needed.key && chance::in_percent(&mut rng, 80))
        .collect();
    let mut picture = |kind, media_type, original_name: &str, uploaded_by, created_at, content| {
        let row = DocumentRow {
            document_id: 0,
            order_id: order_id(number),
            kind,
            file1: format!("{:032x}", rng.random::<u128>()),
            original_name: original_name.to_owned(),
            media_type,
            size_bytes: 0,
            sha256: String::new(),
            uploaded_by,
            created_at,
        };
        (row, content)
    };
    let came = order.created_at;
    let mut drawn = vec![
        picture("passport_picture", "application/pdf", "passport.pdf", None, came, pictures::passport(&order)),
        picture("upload_picture", "image/jpeg", "photo.jpg", None, came, photo),
    ];
    for NeededDocument { kind, label, .. } in others {
        let name = format!("{kind}.pdf");
        drawn.push(picture(kind, "application/pdf", &name, None, came, pictures::document(&order, label)));
    }
    if let (ProcessStatus::Completed | ProcessStatus::ChargeBack, Some(at)) = (order.process_status, order.processed_at)
    {
        let visa = pictures::visa(&order);
        drawn.push(picture(VISA, "application/pdf", "e-visa.pdf", order.processed_by, at, visa));
    }
    Ok(drawn)
}

async fn store(files: &Files, number: u64, drawn: Vec<Picture>) -> Result<Vec<(u64, DocumentRow)>> {
    let mut rows = Vec::with_capacity(drawn.len());
    for (row, content) in drawn {
        let size_bytes = i64::try_from(content.len()).unwrap_or(i64::MAX);
        let stored = StoredContent { key: row.file1.clone(), size_bytes, sha256: crate::files::sha256(&content) };
        // An interrupted seeding may have stored the same file.
        if files.get(&stored, Permission::in_background()).await.is_err() {
            files.put_under(stored.key, Bytes::from(content), Permission::in_background()).await?;
        }
        rows.push((number, DocumentRow { size_bytes, sha256: stored.sha256, ..row }));
    }
    Ok(rows)
}

fn order_id(number: u64) -> OrderId {
    OrderId(FIRST_ID + i64::try_from(number).unwrap_or(i64::MAX - FIRST_ID))
}

/// Adds all rows: on PostgreSQL in one transaction, because its search indexes are built at the end; on SQLite in several.
async fn load(db: &Db, world: &Arc<World>, documents: &Arc<HashMap<u64, Vec<DocumentRow>>>) -> Result<()> {
    let bar = ProgressBar::new(world.orders);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} orders, {per_sec}, {eta} left")
    {
        bar.set_style(style);
    }
    let step = if db.is_postgres() { world.orders.max(1) } else { COMMIT };
    for from in (0..world.orders).step_by(usize::try_from(step).map_err(Error::internal)?) {
        let numbers = from..(from + step).min(world.orders);
        let (world, documents, bar) = (Arc::clone(world), Arc::clone(documents), bar.clone());
        db.write(move |tx| {
            if numbers.start == 0 {
                bulk::begin_bulk(tx)?;
            }
            add(tx, &world, &documents, numbers.clone(), &bar)?;
            if numbers.end == world.orders {
                bulk::end_bulk(tx)?;
                documents_store::end_bulk(tx)?;
            }
            Ok(())
        })
        .await?;
    }
    bar.finish_and_clear();
    Ok(())
}

/// Adds a range of orders. One thread generates them while this one writes them.
fn add(
    tx: &mut Conn,
    world: &World,
    documents: &HashMap<u64, Vec<DocumentRow>>,
    numbers: Range<u64>,
    bar: &ProgressBar,
) -> Result<()> {
    std::thread::scope(|scope| {
        let (generated, batches) = mpsc::sync_channel::<Vec<(GeneratedOrder, SearchTexts)>>(4);
        scope.spawn(move || {
            let mut from = numbers.start;
            while from < numbers.end {
                let to = (from + BATCH).min(numbers.end);
                let batch = (from..to).map(|number| generate(world, documents, number)).collect();
                if generated.send(batch).is_err() {
                    break;
                }
                from = to;
            }
        });
        let by = Actor::program("sales site demo");
        for batch in batches {
            let (generated, texts): (Vec<GeneratedOrder>, Vec<SearchTexts>) = batch.into_iter().unzip();
            let new: Vec<NumberedOrder<'_>> = generated
                .iter()
                .zip(&texts)
                .map(|(generated, texts)| {
                    let order = &generated.story.order;
                    NumberedOrder { order_id: generated.order_id, order, texts, at: order.created_at }
                })
                .collect();
            new_order::insert(tx, &new, &by)?;
            rows::add(tx, &generated, &by)?;
            bar.inc(u64::try_from(generated.len()).unwrap_or(0));
        }
        Ok(())
    })
}

fn generate(world: &World, documents: &HashMap<u64, Vec<DocumentRow>>, number: u64) -> (GeneratedOrder, SearchTexts) {
    let story = story::generate(world, number);
    let texts = SearchTexts::of(order_id(number), &story.order);
    let documents = documents.get(&number).cloned().unwrap_or_default();
    (GeneratedOrder { order_id: order_id(number), story, documents }, texts)
}
