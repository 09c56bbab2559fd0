-- additive, no transaction
-- For lists of what automations made.
create index concurrently if not exists contents_of_automations on contents (account_id, created_at desc, id desc)
  where origin_automation_id is not null;
