-- additive
-- Clients that registered themselves (RFC 7591). A client that is named by the address of its document has no row.
create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  -- Moves on with every authorization and every refresh.
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);

create index oauth_clients_oldest on oauth_clients (expires_at);

-- Authorization codes. A used one stays until it is pruned: a second use ends the grant that the first one made.
create table oauth_codes (
  code_hash bytea primary key,
  client_id text not null,
  redirect_uri text not null,
  -- S256 of the verifier, as the client sent it.
  challenge text not null,
  account_id text not null references workspaces (account_id) on delete cascade,
  user_id text not null,
  -- Of the key that the grant gets.
  name text not null,
  scopes text[] not null,
  key_id text,
  expires_at timestamptz(3) not null,
  constraint oauth_codes_hash_is_sha256 check (octet_length(code_hash) = 32),
  constraint oauth_codes_scopes_given check (cardinality(scopes) > 0)
);

create index oauth_codes_oldest on oauth_codes (expires_at);
create index oauth_codes_of_account on oauth_codes (account_id);

-- What a person granted to a client: a key that nobody has the text of, and the tokens that stand for it at POST /mcp.
create table oauth_grants (
  key_id text primary key references api_keys (id) on delete cascade,
  client_id text not null,
  -- SHA-256 of the two parts of the refresh token: the one that stays and the one that each refresh replaces.
  family_hash bytea not null,
  refresh_hash bytea not null,
  access_hash bytea not null,
  access_expires_at timestamptz(3) not null,
  constraint oauth_grants_family_unique unique (family_hash),
  constraint oauth_grants_access_unique unique (access_hash)
);
