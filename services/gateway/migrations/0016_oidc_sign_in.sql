-- additive
-- Sessions of people whom the OIDC issuer signs in: `user_id` is a user of `users` or of `oidc_users`, as in `members`.
alter table sessions drop constraint sessions_user_id_fkey;

create function delete_access_of_user() returns trigger language plpgsql set search_path from current as $$
begin
  delete from sessions where user_id = old.id;
  delete from oidc_users where linked_user_id = old.id;
  return null;
end $$;

create trigger users_delete_access after delete on users
  for each row execute function delete_access_of_user();
create trigger oidc_users_delete_access after delete on oidc_users
  for each row execute function delete_access_of_user();

-- The user with a password whom the identity signs in; null: the identity is a person of its own. No foreign key, which
-- would lock `users`; the trigger deletes what is linked.
alter table oidc_users add column linked_user_id text;

-- False: a person who was invited, or a linked identity; the trigger makes no workspace for the account id.
alter table oidc_users add column owns_workspace boolean not null default true;

-- Sign-ins that came back from the issuer, by the SHA-256 of their state: each is accepted once, whichever gateway it
-- reaches. Kept until the state would have expired anyway.
create table oidc_used_states (
  state_hash bytea primary key,
  expires_at timestamptz(3) not null
);

create index oidc_used_states_oldest on oidc_used_states (expires_at);
