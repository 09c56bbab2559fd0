-- additive
-- WebAuthn credentials with which people sign in. Challenges that were answered are in `oidc_used_states`.
create table passkeys (
  id text primary key,
  user_id text not null references users(id) on delete cascade,
  credential_id bytea not null,
  -- SubjectPublicKeyInfo in DER.
  public_key bytea not null,
  -- The last count of the authenticator; 0: it does not count.
  sign_count bigint not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  constraint passkeys_credential_unique unique (credential_id)
);

create index passkeys_of_user on passkeys (user_id);

-- Codes that take the place of a passkey, as SHA-256. A row is deleted when its code was used.
create table recovery_codes (
  user_id text not null references users(id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Not validated: the rows that there are satisfy the constraint before it, which allowed less.
alter table mails drop constraint mails_kind_known, add constraint mails_kind_known
  check (kind in ('invitation', 'password_reset', 'email_verification', 'sign_in_slowed', 'decks_waiting', 'nothing_new', 'post_due', 'post_failed', 'account_reconnect', 'credits_low', 'week', 'sign_in_changed')) not valid;
