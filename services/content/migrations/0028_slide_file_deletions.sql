-- additive
-- Which reaper deletes the file at the store, and until when nobody stores it again. Null: none.
alter table slide_files add column delete_holder text, add column delete_lease_until timestamptz;
