-- additive, no transaction
-- For pruning by age.
create index concurrently if not exists audit_events_oldest on audit_events (at);
