-- additive
-- First 1,024 bytes of the answer to the attempt of `response_at`. Valid for the last attempt only: a process of the version
-- before writes attempts without these columns.
alter table deliveries
  add column response text,
  add column response_at timestamptz(3);
