-- additive
-- Digest of the e-mail address and the network address that tried. Null in rows of a version that did not write it.
alter table sign_in_failures add column pair_hash bytea;

-- From where a user signed in before: the newest 20.
create table sign_in_addresses (
  pair_hash bytea primary key,
  user_id text not null references users (id) on delete cascade,
  used_at timestamptz(3) not null
);

create index sign_in_addresses_of_user on sign_in_addresses (user_id, used_at);
