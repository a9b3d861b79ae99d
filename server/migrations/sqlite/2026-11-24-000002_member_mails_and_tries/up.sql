-- Mails to members about their own account that are not sent yet: a row is deleted when its mail is delivered or given up.
-- uncertain counts the attempts after which the provider may or may not have taken the mail.
CREATE TABLE staff_mails (
    staff_mail_id INTEGER PRIMARY KEY AUTOINCREMENT,
    staff_id      INTEGER NOT NULL REFERENCES staff (staff_id),
    event         TEXT NOT NULL,
    recipient     TEXT NOT NULL,
    done_by       TEXT,
    device        TEXT,
    country       TEXT,
    created_at    TEXT NOT NULL,
    due_at        TEXT NOT NULL,
    leased_until  TEXT,
    attempts      INTEGER NOT NULL,
    uncertain     INTEGER NOT NULL
) STRICT;
CREATE INDEX staff_mails_due ON staff_mails (due_at, staff_mail_id);

-- The devices from which members have signed in: browser, system and country. mailed_at is set when the member was mailed about it.
CREATE TABLE known_devices (
    staff_id     INTEGER NOT NULL REFERENCES staff (staff_id),
    device       TEXT NOT NULL,
    country      TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    mailed_at    TEXT,
    PRIMARY KEY (staff_id, device, country)
) STRICT, WITHOUT ROWID;

-- Wrong tries to open an order on the public pages, by hour and network. order_id 0: orders that do not exist, and those that one
-- network tried beyond the first of the hour. An empty network: those beyond the first of an order and hour.
CREATE TABLE failed_tracks (
    order_id INTEGER NOT NULL,
    hour     TEXT NOT NULL,
    network  TEXT NOT NULL,
    tries    INTEGER NOT NULL,
    last_at  TEXT NOT NULL,
    PRIMARY KEY (order_id, hour, network)
) STRICT, WITHOUT ROWID;
CREATE INDEX failed_tracks_hour ON failed_tracks (hour, network);
