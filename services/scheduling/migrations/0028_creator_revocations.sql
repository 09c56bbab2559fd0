-- additive
-- Until when a revocation of the creator's consent may reach the platform; in the past once it is over. Null:
-- there was none. A connection of the creator is written only while it does not change.
alter table creators add column revoking_until timestamptz;
