-- additive
-- Who began the connection; null in rows of a version that did not write it, which any person of the account may finish.
-- The code that came back, sealed to the state's digest, until that person finishes; and the digest of the proof that
-- only the browser that came back holds.
alter table connect_states
  add column user_id text,
  add column code_sealed text,
  add column proof_digest bytea,
  -- One request at a time exchanges the code, which works once: its tokens are kept, sealed, until the account is written.
  add column taken_until timestamptz(3),
  add column tokens_sealed text;
