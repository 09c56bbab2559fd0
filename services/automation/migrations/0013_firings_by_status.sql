-- additive, no transaction
-- An automation's firings of one status, in the order of the list: without it a rare status reads all of them.
create index concurrently if not exists firings_by_status on firings (automation_id, status, created_at desc, id desc);
