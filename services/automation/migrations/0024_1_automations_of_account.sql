-- additive, no transaction
-- Those of a workspace that is deleted, with the rows that are hidden from its lists.
create index concurrently if not exists automations_of_account on automations (account_id);
