-- additive
-- Sequence of the newest approval of its content that was heard of: an older rejection that comes late ends nothing.
alter table schedules add column approved_sequence bigint;
