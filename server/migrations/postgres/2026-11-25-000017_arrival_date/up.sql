-- The day on which the applicant wants to arrive. Some visas can be applied for only from a number of days before it.
ALTER TABLE applications ADD COLUMN arrival_date DATE;
