-- A file that could not be served as it came is stored rewritten. The digest of what came finds it again, however it was rewritten.
ALTER TABLE documents ADD COLUMN original_sha256 TEXT;
CREATE INDEX documents_visa_original ON documents (original_sha256) WHERE kind = 'visa';
CREATE INDEX documents_waiting_visa_original ON documents (original_sha256) WHERE kind = 'waiting_visa';
