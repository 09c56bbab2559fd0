-- additive, no transaction
-- Active automations without a next slot: those that were set aside.
create index concurrently if not exists automations_set_aside on automations (id)
  where status = 'active' and deleted_at is null and next_fire_at is null;
