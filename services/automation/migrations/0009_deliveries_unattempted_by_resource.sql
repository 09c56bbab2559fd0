-- additive, no transaction
-- Does an earlier event of the same resource still wait for its first attempt? By resource first: the claim asks for
-- it in a way that no index on the endpoint can answer, because one that lists a whole backlog looked as good to a
-- planner whose statistics were made before the backlog.
create index concurrently if not exists deliveries_unattempted_by_resource
  on deliveries (resource, webhook_id, sequence) where status = 'pending' and attempted_at is null;
