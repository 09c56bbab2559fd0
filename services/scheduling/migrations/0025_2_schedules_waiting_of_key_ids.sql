-- additive, no transaction
-- What a revoked key changed and still waits. Few rows have keys in the array.
create index concurrently if not exists schedules_waiting_of_key_ids on schedules using gin (key_ids)
  where status = 'pending' and key_ids is not null;
