-- additive
-- The newest decision on the deck rejected it.
alter table decks add column is_rejected boolean not null default false;
