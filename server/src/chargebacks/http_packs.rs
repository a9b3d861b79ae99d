//! Defence packs: their preview, and making one (spec §7).

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Chargebacks;
use super::packs::errors::{PackError, PackErrors};
use super::packs::rules::{self, PackType, evidence};
use super::packs::store::{self, NewPack, Pack};
use super::packs::{self, PackSources};
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::audit::store::{self as audit, Actor, Change};
use crate::db;
use crate::documents::links::{Links, OpenedBy, VALID_FOR_SECONDS, Viewer};
use crate::documents::memory_permits::MemoryPermit;
use crate::documents::sending::FileBody;
use crate::documents::storing;
use crate::error::{Error, Permission, Result};
use crate::files::StoredContent;
use crate::http::answer::{Found, PdfFile, StoredResponse, found};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Chargebacks>> {
    OpenApiRouter::new().routes(call!(defence_pack_details)).routes(call!(get_defence_pack_pdf))
}

/// The order whose packs to preview.
#[derive(Deserialize, ToSchema)]
pub struct PackDetailsOf {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
}

/// Preview of an order's defence packs
#[derive(Serialize, ToSchema)]
pub struct PackDetails {
    /// The order's id.
    order_id: OrderId,
    /// The printed form of the id, `VD-100001`.
    order_number: String,
    /// The evidence, the strongest first.
    evidence: Vec<Evidence>,
    /// Labels of missing evidence.
    missing: Vec<&'static str>,
    /// Downloads of the visa.
    downloads: DownloadCounts,
    /// Number of emails about the order.
    mails: usize,
    /// The check of Visa's Compelling Evidence 3.0.
    ce3: Ce3,
    /// The packs made so far, newest first.
    packs: Vec<MadePack>,
    /// The time that the links of this answer open their packs, in seconds.
    links_valid_for_seconds: u32,
}

/// A piece of evidence that a bank may look for.
#[derive(Serialize, ToSchema)]
pub struct Evidence {
    /// A stable name, such as `case`.
    code: &'static str,
    /// Its name for people.
    label: &'static str,
    /// The order has it.
    given: bool,
    /// The evidence in words; null: missing.
    detail: Option<String>,
}

/// Downloads of the visa.
#[derive(Serialize, ToSchema)]
pub struct DownloadCounts {
    /// Downloads by the customer, which are evidence.
    customer: i64,
    /// Downloads by staff, which do not count.
    left_out: i64,
}

/// Visa's Compelling Evidence 3.0.
#[derive(Serialize, ToSchema)]
pub struct Ce3 {
    /// The rule's conditions are met.
    eligible: bool,
    /// The reason, in a sentence.
    why: String,
    /// The earlier orders that were compared.
    priors: Vec<Prior>,
}

/// An earlier undisputed order of the customer.
#[derive(Serialize, ToSchema)]
pub struct Prior {
    /// The printed form of its id, `VD-100001`.
    order_number: String,
    /// When it was paid.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// Days between its payment and the disputed one.
    days_before: i64,
    /// The values that it shares with the disputed order: `address` (IP), `device`, `email`, `account`.
    matches: Vec<&'static str>,
}

/// A defence pack
#[derive(Serialize, ToSchema)]
pub struct MadePack {
    /// The pack's id.
    pack_id: i64,
    /// 1: the letter with the downloads. 2: the emails.
    pack_type: i32,
    /// The name of the file.
    file_name: String,
    /// The number of pages.
    pages: i32,
    /// The size in bytes.
    size_bytes: i64,
    /// The SHA-256 of the content, in hexadecimal digits.
    sha256: String,
    /// The name of the member who generated it.
    made_by: String,
    /// When it was generated.
    #[schema(value_type = String, format = DateTime)]
    made_at: Timestamp,
    /// Signed link, valid in this session for five minutes.
    link: String,
}

/// Preview of an order's defence packs, with the missing evidence
#[utoipa::path(post, path = "/admin/defence-pack-details", request_body = PackDetailsOf,
    responses((status = 200, body = Found<PackDetails>)))]
pub async fn defence_pack_details(
    State(room): State<Arc<Chargebacks>>,
    staff: Staff,
    reader: Reader,
    Json(PackDetailsOf { order_id }): Json<PackDetailsOf>,
) -> Result<Found<PackDetails>> {
    let read = move |conn: &mut db::Conn| Ok((packs::gather(conn, order_id)?, store::list(conn, order_id)?));
    let (gathered, made) = room.db.read(read).await?;
    reader.note(SeenData::order("pack.view", order_id)).await?;
    let PackSources { facts, ce3, .. } = gathered;
    let evidence = evidence::list(&facts, &ce3, &room.config.chargebacks.terms_text);
    let links = Links::new(&room.documents, Viewer::Staff(staff.session_hash));
    let priors = ce3.priors.into_iter().map(|prior| Prior {
        order_number: prior.order_id.printed(),
        at: prior.paid_at,
        days_before: prior.days_before,
        matches: prior.matches.iter().map(|point| point.as_str()).collect(),
    });
    Ok(found(PackDetails {
        order_id,
        order_number: order_id.printed(),
        missing: evidence.iter().filter(|piece| piece.detail.is_none()).map(|piece| piece.label).collect(),
        evidence: evidence.into_iter().map(Evidence::from).collect(),
        downloads: DownloadCounts { customer: facts.downloads.total, left_out: facts.downloads.by_staff },
        mails: facts.mails.len(),
        ce3: Ce3 { eligible: ce3.eligible, why: ce3.why, priors: priors.collect() },
        packs: made.into_iter().map(|(pack, made_by)| MadePack::new(pack, made_by, &links)).collect(),
        links_valid_for_seconds: VALID_FOR_SECONDS,
    }))
}

impl From<evidence::PackEvidence> for Evidence {
    fn from(piece: evidence::PackEvidence) -> Self {
        Self { code: piece.code, label: piece.label, given: piece.detail.is_some(), detail: piece.detail }
    }
}

impl MadePack {
    fn new(pack: Pack, made_by: String, links: &Links) -> Self {
        Self {
            pack_id: pack.pack_id,
            pack_type: pack.pack_type,
            file_name: pack.file_name(),
            pages: pack.pages,
            size_bytes: pack.size_bytes,
            link: links.to_pack(&pack.file1),
            sha256: pack.sha256,
            made_by,
            made_at: pack.made_at,
        }
    }
}

/// The order, and the pack to generate.
#[derive(Deserialize, ToSchema)]
pub struct MakePack {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// 1: the letter with the downloads. 2: the emails.
    #[serde(rename = "defencePackType")]
    #[schema(value_type = i32)]
    pack_type: NumberOrText,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a number, 1 or 2")]
enum NumberOrText {
    Number(i32),
    Text(String),
}

impl NumberOrText {
    fn number(&self) -> i32 {
        match self {
            Self::Number(number) => *number,
            Self::Text(text) => text.trim().parse().unwrap_or(0),
        }
    }
}

/// Return a defence pack: the stored one while what it says is unchanged, or else a new one
#[utoipa::path(post, path = "/admin/get-defence-pack-pdf", request_body = MakePack,
    responses((status = 200, description = "The pack", body = Vec<u8>, content_type = "application/pdf",
        headers(("Pack-Id" = i64, description = "The id of the pack, as the preview lists it")))))]
pub async fn get_defence_pack_pdf(
    State(room): State<Arc<Chargebacks>>,
    staff: Staff,
    reader: Reader,
    idempotent: IdempotentRequest,
    permission: Permission<PackErrors>,
    Json(MakePack { order_id, pack_type }): Json<MakePack>,
) -> Result<PackFile> {
    let pack_type = PackType::of(pack_type.number())?;
    let name = rules::file_name(pack_type, order_id);
    let prepared = idempotent.prepare(&room.db, move |conn| packs::gather(conn, order_id)).await?;
    reader.note(SeenData::order("pack.open", order_id)).await?;
    let reader = OpenedBy::Staff(reader);
    let gathered = match prepared {
        ControlFlow::Continue(gathered) => gathered,
        ControlFlow::Break(stored) => return stored_pack(&room, &reader, name, &stored, permission).await,
    };
    let _making = room.making.enter(staff.id).ok_or(PackError::PackInProgress)?;
    let (now, most) = (room.clock.now(), room.config.limits.packs_per_order_and_day);
    let context = packs::context(&room, &gathered.facts, &staff, now)?;
    let digest = packs::content_digest(&room, pack_type, &gathered, &context)?;
    let searched = digest.clone();
    let same = room.db.read(move |conn| store::find_same(conn, order_id, pack_type, &searched, 0)).await?;
    let last_same = same.as_ref().map_or(0, |pack| pack.pack_id);
    if let Some(pack) = same {
        let kept = StoredPack::of(pack);
        let permit = kept.reserve(&room, &reader).await?;
        // A pack whose file is lost or damaged is made again.
        if let Ok(file) = kept.read(&room, name.clone(), permit, permission).await {
            idempotent.write(&room.db, move |_| Ok(kept.clone())).await?;
            return Ok(file);
        }
    }
    let made_before = room.db.read(move |conn| store::list_times(conn, order_id, most)).await?;
    rules::check_day(&made_before, most, now)?;
    let made = packs::make(&room, pack_type, &gathered, &staff, now, permission).await?;
    // Before its row: never a row without its file.
    let stored = room.documents.files.put(made.content, permission.of()).await?;
    let key = stored.key.clone();
    let new = NewPack {
        order_id,
        pack_type,
        stored,
        pages: i32::try_from(made.pages).map_err(Error::internal)?,
        facts: made.facts,
        content_digest: digest,
        staff_id: staff.id,
    };
    let change = Change::of("chargeback.pack").order(order_id).after(format!("{name}, {} pages", new.pages));
    let by = Actor::from(&staff);
    let outcome = idempotent
        .write(&room.db, move |tx| {
            store::lock(tx, order_id)?;
            // Another member, or another node, may have made the same pack meanwhile.
            if let Some(pack) = store::find_same(tx, order_id, pack_type, &new.content_digest, last_same)? {
                return Ok(StoredPack::of(pack));
            }
            rules::check_day(&store::list_times(tx, order_id, most)?, most, now)?;
            let pack_id = store::add(tx, &new, now)?;
            audit::add(tx, &by, std::slice::from_ref(&change), now)?;
            Ok(StoredPack::new(pack_id, &new.stored))
        })
        .await;
    // Does nothing once a row names the file.
    storing::remove_unnamed(&room.documents, key).await;
    stored_pack(&room, &reader, name, &outcome?, permission).await
}

/// The file that the stored response of a request names.
async fn stored_pack(
    room: &Chargebacks,
    reader: &OpenedBy,
    name: String,
    response: &StoredResponse,
    permission: Permission<PackErrors>,
) -> Result<PackFile> {
    let pack: StoredPack = serde_json::from_str(&response.json).map_err(Error::internal)?;
    let permit = pack.reserve(room, reader).await?;
    pack.read(room, name, permit, permission).await
}

/// A pack's file, with the pack's id in the head.
pub struct PackFile {
    pack_id: i64,
    file: PdfFile<FileBody>,
}

impl IntoResponse for PackFile {
    fn into_response(self) -> Response {
        ([("pack-id", self.pack_id.to_string())], self.file).into_response()
    }
}

/// A pack, as the stored response of its request names it. The response itself is the file's content.
#[derive(Clone, Serialize, Deserialize)]
struct StoredPack {
    pack_id: i64,
    key: String,
    size_bytes: i64,
    sha256: String,
}

impl StoredPack {
    fn of(pack: Pack) -> Self {
        Self::new(pack.pack_id, &pack.into())
    }

    fn new(pack_id: i64, stored: &StoredContent) -> Self {
        Self { pack_id, key: stored.key.clone(), size_bytes: stored.size_bytes, sha256: stored.sha256.clone() }
    }

    /// Waits until its file may be held in memory for this reader.
    async fn reserve(&self, room: &Chargebacks, reader: &OpenedBy) -> Result<MemoryPermit> {
        room.documents.reserve(reader, usize::try_from(self.size_bytes).map_err(Error::internal)?).await
    }

    /// Reads its file, which keeps the permit until it is sent.
    async fn read(
        &self,
        room: &Chargebacks,
        name: String,
        permit: MemoryPermit,
        permission: Permission<PackErrors>,
    ) -> Result<PackFile> {
        let content = room.documents.files.get(&self.clone().into(), permission.of()).await?;
        let content = FileBody::new(content, permit, room.config.limits.download_bytes_per_second);
        Ok(PackFile { pack_id: self.pack_id, file: PdfFile { name, content } })
    }
}

impl From<StoredPack> for StoredContent {
    fn from(pack: StoredPack) -> Self {
        Self { key: pack.key, size_bytes: pack.size_bytes, sha256: pack.sha256 }
    }
}
