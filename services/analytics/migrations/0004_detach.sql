-- additive
-- Takes off every partition whose month ended by then, for `npm run detach-snapshots`; they stay as tables of
-- their own. Collectors wait a moment, nobody else reads snapshots. Gives up rather than hold them up for long.
create function detach_snapshot_partitions(ended_by date) returns setof text
language plpgsql security definer set search_path from current set lock_timeout = '5s' as $$
declare
  home text := quote_ident(current_schema);
  partition record;
begin
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = (home || '.metric_snapshots')::regclass
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= ended_by
    order by c.relname
  loop
    execute format('alter table %s.metric_snapshots detach partition %s.%I', home, home, partition.relname);
    return next partition.relname;
  end loop;
end $$;

revoke execute on function detach_snapshot_partitions(date) from public;
grant execute on function detach_snapshot_partitions(date) to analytics;
