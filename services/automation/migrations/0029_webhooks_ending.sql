-- additive, no transaction
-- Almost always empty: each claim reads it.
create index concurrently if not exists webhooks_ending on webhooks (id) where ends_deliveries;
