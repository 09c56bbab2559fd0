-- additive
create table api_keys (
  id text primary key,
  account_id text not null,
  name text not null,
  prefix text not null,
  -- SHA-256 of the whole key; the key itself is stored nowhere.
  key_hash bytea not null,
  scopes text[] not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint api_keys_hash_unique unique (key_hash),
  constraint api_keys_hash_is_sha256 check (octet_length(key_hash) = 32),
  constraint api_keys_scopes_given check (cardinality(scopes) > 0)
);

create index api_keys_newest on api_keys (account_id, created_at desc, id desc);
