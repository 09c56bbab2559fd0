-- additive
-- Who made a record, and the keys that made or changed it, so that a leaked key's work can be found.
alter table automations
  add column created_by jsonb,
  add column key_ids text[] not null default '{}';
alter table webhooks
  add column created_by jsonb,
  add column key_ids text[] not null default '{}';
