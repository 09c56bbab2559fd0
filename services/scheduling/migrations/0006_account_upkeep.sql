-- additive
-- When the account's grant was last looked after, ahead of its posts; null: not yet.
alter table platform_accounts add column kept_at timestamptz(3);
