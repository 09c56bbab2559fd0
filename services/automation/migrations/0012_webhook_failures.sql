-- additive
-- When attempts failed since the last success, the newest first, at most five of each: the five newest, and the five
-- newest days (UTC). An endpoint is disabled only for failures that are recent and many.
alter table webhooks
  add column failed_at timestamptz(3)[] not null default '{}',
  add column failed_days date[] not null default '{}';
