-- additive
-- Whether the key that set the address may read schedules. Without it, events give a schedule as its ids and status.
-- Endpoints that exist keep what they were given.
alter table webhooks add column reads_schedules boolean not null default true;
-- Replicas of the version before do not name the column: what they register gets the reference alone.
alter table webhooks alter column reads_schedules set default false;
