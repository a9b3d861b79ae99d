//! The devices from which members have signed in, and the mail about a new one. A device is a browser, its system and the country of
//! its address: it has neither a cookie nor an id, so a thief on the same kind of device in the same country is not noticed.

use diesel::prelude::*;

use super::member_mails::{self, ReportedDevice};
use super::rules::notices::{KnownDevice, Recognition, recognize};
use super::sessions::SignInOrigin;
use crate::db::Conn;
use crate::db::schema::known_devices;
use crate::devices;
use crate::error::{Error, Result};
use crate::ids::StaffId;
use crate::places;
use crate::timestamp::Timestamp;

/// The devices that are kept of one member: those of the latest sign-ins.
const MAX_DEVICES: usize = 20;

/// The device of a sign-in.
#[derive(Clone, Debug)]
pub struct SeenDevice {
    device: String,
    country: String,
}

impl SeenDevice {
    /// Reads the device and the country of a sign-in.
    pub async fn of(origin: &SignInOrigin) -> Result<Self> {
        let origin = origin.clone();
        // Reading a user agent takes up to a millisecond.
        let read = tokio::task::spawn_blocking(move || Self {
            device: devices::family(origin.user_agent.as_deref().unwrap_or_default()),
            country: origin.address.and_then(places::find).map_or_else(|| "Unknown".into(), |place| place.country),
        });
        read.await.map_err(Error::internal)
    }
}

/// Records the device of a sign-in, and mails the member if it is new to them. The caller holds the member's lock.
pub fn note_sign_in(
    tx: &mut Conn,
    (staff_id, email): (StaffId, &str),
    SeenDevice { device, country }: &SeenDevice,
    now: Timestamp,
) -> Result<()> {
    let of_member = || known_devices::table.filter(known_devices::staff_id.eq(staff_id));
    let rows: Vec<(String, String, Option<Timestamp>)> = of_member()
        .order(known_devices::last_seen_at.desc())
        .select((known_devices::device, known_devices::country, known_devices::mailed_at))
        .load(tx)?;
    let known = rows.into_iter().map(|(device, country, mailed_at)| KnownDevice { device, country, mailed_at });
    let known: Vec<KnownDevice> = known.collect();
    let recognition = recognize(&known, device, country, now);
    if recognition == Recognition::Known {
        diesel::update(known_devices::table.find((staff_id, device, country)))
            .set(known_devices::last_seen_at.eq(now))
            .execute(tx)?;
        return Ok(());
    }
    let is_mailed = recognition == Recognition::NewAndMailed;
    diesel::insert_into(known_devices::table)
        .values((
            known_devices::staff_id.eq(staff_id),
            known_devices::device.eq(device),
            known_devices::country.eq(country),
            known_devices::last_seen_at.eq(now),
            known_devices::mailed_at.eq(is_mailed.then_some(now)),
        ))
        .execute(tx)?;
    // The new one is among those that are kept.
    for one in known.iter().skip(MAX_DEVICES - 1) {
        diesel::delete(known_devices::table.find((staff_id, &one.device, &one.country))).execute(tx)?;
    }
    if is_mailed {
        member_mails::report_device(tx, (staff_id, email), ReportedDevice { device, country }, now)?;
    }
    Ok(())
}

/// Forgets the devices of a member.
pub fn forget(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    diesel::delete(known_devices::table.filter(known_devices::staff_id.eq(staff_id))).execute(tx)?;
    Ok(())
}
