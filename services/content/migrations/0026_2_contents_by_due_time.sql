-- additive, no transaction
-- What the generation worker looks for, in the order in which it became due: one that was put back is behind
-- those that came meanwhile.
create index concurrently if not exists contents_by_due_time on contents (coalesce(lease_until, created_at))
  where status in ('queued', 'running');
