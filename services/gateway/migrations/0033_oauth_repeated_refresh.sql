-- additive
-- For a refresh that is sent again because its answer was lost. Null before the first refresh.
alter table oauth_grants
  -- SHA-256 of the part of the refresh token that the last refresh replaced, and when it did.
  add column replaced_hash bytea,
  add column replaced_at timestamptz(3),
  -- Random bytes. The present tokens follow from them and that part, of which only the client has the text.
  add column salt bytea;
