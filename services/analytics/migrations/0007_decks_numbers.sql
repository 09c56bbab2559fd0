-- additive, no transaction
create index concurrently if not exists decks_numbers on decks (account_id, counted_at)
  include (views, likes, comments, shares, saves) where views is not null;
