-- additive, no transaction
-- For lists of what requests made, in an account whose contents are mostly made by automations.
create index concurrently if not exists contents_of_requests on contents (account_id, created_at desc, id desc)
  where origin_automation_id is null;
