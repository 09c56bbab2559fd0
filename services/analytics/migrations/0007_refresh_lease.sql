-- additive
-- Who asks the platform for a new token of the source. Null: nobody. While somebody does, refresh_at lies ahead.
alter table metric_sources add column refresh_holder text;
