-- additive, no transaction
-- The workspaces of the users that there are, 1,000 at a time; begun anew after a kill, it passes over what is filled.
do $$
declare
  done text := '';
  last text;
begin
  loop
    select max(id) into last from (
      select id from (select id from users union all select id from oidc_users) people
      where id > done order by id limit 1000
    ) batch;
    exit when last is null;
    with people as (
      select id, account_id, email, name, created_at from users
        where id > done and id <= last and owns_workspace
      union all
      select id, account_id, email, name, created_at from oidc_users where id > done and id <= last
    ), made as (
      insert into workspaces (account_id, name, created_at, updated_at)
        select account_id, coalesce(name, nullif(split_part(email, '@', 1), ''), 'Workspace'), created_at, created_at
        from people
        on conflict do nothing
        returning account_id
    )
    insert into members (account_id, user_id, role, created_at, updated_at)
      select account_id, id, 'owner', created_at, created_at from people join made using (account_id)
      on conflict do nothing;
    commit;
    done := last;
  end loop;
end $$;
