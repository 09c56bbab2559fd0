-- contract
-- The version before counts in disabled_sequence.
drop trigger webhooks_keep_disabled_sequence on webhooks;
drop function keep_disabled_sequence();
alter table webhooks drop column times_disabled;
