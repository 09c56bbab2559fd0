-- additive, no transaction
-- Whose ledger changed lately: the drift gauge checks those accounts.
create index concurrently if not exists credit_ledger_by_age on credit_ledger (created_at);
