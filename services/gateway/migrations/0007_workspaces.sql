-- additive
-- The tenant, under the account id that every service knows. Its public id is made of the same characters.
create table workspaces (
  account_id text primary key,
  name text not null,
  timezone text not null default 'UTC',
  approvers text not null default 'anyone_with_scope',
  requires_version boolean not null default false,
  post_texts text not null default 'open',
  self_approval boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint workspaces_approvers_known check (approvers in ('anyone_with_scope', 'people_only')),
  constraint workspaces_post_texts_known check (post_texts in ('open', 'approved_only'))
);

-- A user of `users` or of `oidc_users`.
create table members (
  account_id text not null references workspaces (account_id) on delete cascade,
  user_id text not null,
  role text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, user_id),
  constraint members_role_known check (role in ('owner', 'approver', 'editor', 'viewer'))
);

create index members_newest on members (account_id, created_at desc, user_id desc);
create index members_of_user on members (user_id, created_at);

-- False: a person who was invited; no workspace is made for the account id.
alter table users add column owns_workspace boolean not null default true;

-- The workspace that the session works in; null in rows of the version before: the user's own. Not "account_id": the
-- version before joins sessions with users and names that column without its table.
alter table sessions add column entered_account_id text;
alter table oidc_users add column entered_account_id text;

-- Who minted the key; the trigger fills it for the version before.
alter table api_keys add column created_by text;

-- A user with a workspace of their own owns it, whichever version inserts the user.
create function make_own_workspace() returns trigger language plpgsql set search_path from current as $$
begin
  if (to_jsonb(new) ->> 'owns_workspace') is distinct from 'false' then
    insert into workspaces (account_id, name, created_at, updated_at)
      values (new.account_id, coalesce(new.name, nullif(split_part(new.email, '@', 1), ''), 'Workspace'),
              new.created_at, new.created_at)
      on conflict do nothing;
    insert into members (account_id, user_id, role, created_at, updated_at)
      values (new.account_id, new.id, 'owner', new.created_at, new.created_at)
      on conflict do nothing;
  end if;
  return null;
end $$;

create trigger users_make_own_workspace after insert on users
  for each row execute function make_own_workspace();
create trigger oidc_users_make_own_workspace after insert on oidc_users
  for each row execute function make_own_workspace();

create function fill_key_creator() returns trigger language plpgsql set search_path from current as $$
begin
  if new.created_by is null then
    select id into new.created_by from users where account_id = new.account_id;
  end if;
  if new.created_by is null then
    select id into new.created_by from oidc_users where account_id = new.account_id;
  end if;
  return new;
end $$;

create trigger api_keys_fill_creator before insert on api_keys
  for each row execute function fill_key_creator();
