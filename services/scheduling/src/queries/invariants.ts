import type { Invariant } from '@hookline/shared/postgres';

export const schedulingInvariants: readonly Invariant[] = [
  {
    // Every other state is known to have made no post.
    name: 'scheduling: of the calls of a schedule at most one made a post, or may have',
    sql: `select schedule_id as id, string_agg(id || ' ' || state, ', ' order by started_at) as what
      from scheduling.attempts
      where schedule_id is not null and state in ('calling', 'unconfirmed', 'accepted', 'delivered', 'unknown')
      group by schedule_id having count(*) > 1`,
  },
  {
    name: 'scheduling: what is sent was delivered',
    sql: `select s.id, s.outcome as what from scheduling.schedules s
      where s.status = 'sent' and not exists (
        select 1 from scheduling.attempts a where a.schedule_id = s.id and a.state = 'delivered')`,
  },
  {
    name: 'scheduling: a firing has one schedule',
    sql: `select firing_id as id, count(*) || ' schedules' as what from scheduling.schedules
      where firing_id is not null group by firing_id having count(*) > 1`,
  },
  {
    name: 'scheduling: everything that waits has a due time or is kept back',
    sql: `select s.id, s.status || ' since ' || s.updated_at as what from scheduling.schedules s
      where s.due_at is null and ((s.status = 'pending' and s.held_since is null) or (s.status = 'sending' and not exists (
        select 1 from scheduling.attempts a
        where a.schedule_id = s.id and a.state in ('calling', 'unconfirmed', 'accepted'))))`,
  },
  {
    name: 'scheduling: calls that the platform took are asked for',
    sql: `select a.id, a.state || ' since ' || a.started_at as what
      from scheduling.attempts a join scheduling.schedules s on s.id = a.schedule_id
      where s.status = 'sending' and a.state in ('unconfirmed', 'accepted') and a.next_poll_at is null`,
  },
];
