-- additive
-- Accounts take turns: the first request of each, then the second of each.
alter table schedule_requests add column turn bigint not null default 0;
