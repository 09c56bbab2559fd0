-- additive
-- How often an endpoint was disabled because it failed: the sequence of its webhook.disabled events.
alter table webhooks add column times_disabled integer not null default 0;
