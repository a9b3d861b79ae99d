-- Texts that members write once and use often: in remarks, and as messages to applicants.
CREATE TABLE canned_texts (
    canned_text_id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The member who alone has it; null: everybody has it.
    staff_id       INTEGER REFERENCES staff (staff_id),
    purpose        TEXT NOT NULL CHECK (purpose IN ('comment', 'whatsapp')),
    title          TEXT NOT NULL,
    -- The text by language, as JSON.
    texts          TEXT NOT NULL
) STRICT;
CREATE INDEX canned_texts_member ON canned_texts (staff_id);
