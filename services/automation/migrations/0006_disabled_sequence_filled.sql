-- additive, no transaction
-- 1,000 endpoints at a time in the order of their ids; begun anew after a kill, it passes over what is filled.
do $$
declare
  done text := '';
  last text;
begin
  loop
    select max(id) into last from (select id from webhooks where id > done order by id limit 1000) batch;
    exit when last is null;
    update webhooks set disabled_sequence = times_disabled
      where id > done and id <= last and disabled_sequence < times_disabled;
    commit;
    done := last;
  end loop;
end $$;
