-- additive, no transaction
-- 1,000 keys at a time in the order of their ids; begun anew after a kill, it passes over what is filled.
do $$
declare
  done text := '';
  last text;
begin
  loop
    select max(id) into last from (select id from api_keys where id > done order by id limit 1000) batch;
    exit when last is null;
    update api_keys set created_by = people.id
      from (select id, account_id from users union all select id, account_id from oidc_users) people
      where people.account_id = api_keys.account_id
        and api_keys.id > done and api_keys.id <= last and created_by is null;
    commit;
    done := last;
  end loop;
end $$;
