-- additive
-- Schedules in a worker's hands: a claim looks whether their creators are busy, however many others wait.
create index schedules_leased on schedules (lease_until) where lease_until is not null;
-- A draft's or post's slide (counted from 1) whose file was gone when the platform asked for it.
alter table attempts add column missing_slide integer;
