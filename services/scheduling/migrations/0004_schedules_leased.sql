-- additive, no transaction
-- Schedules in a worker's hands: a claim looks whether their creators are busy, however many others wait.
create index concurrently if not exists schedules_leased on schedules (lease_until) where lease_until is not null;
