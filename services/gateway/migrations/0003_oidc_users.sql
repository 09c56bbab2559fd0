-- additive
-- Users that an OIDC issuer vouches for. Apart from `users`: they have no password, perhaps no address, and an
-- address that somebody else registered proves nothing.
create table oidc_users (
  id text primary key,
  account_id text not null,
  issuer text not null,
  subject text not null,
  email text,
  name text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint oidc_users_account_unique unique (account_id),
  constraint oidc_users_subject_unique unique (issuer, subject)
);
