-- additive
-- Accounts take turns: the first screenshot of each, then the second of each.
alter table wanted_screenshots add column turn bigint not null default 0;
