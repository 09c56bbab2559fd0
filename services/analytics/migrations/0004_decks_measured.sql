-- additive, no transaction
create index concurrently if not exists decks_measured_sum on decks (account_id, counted_at) include (views)
  where views is not null;
