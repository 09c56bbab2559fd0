/** Every invariant of the product, including those between services, which no single service can check. */
import { invariants as analyticsInvariants } from '@hookline/analytics/ops';
import { invariants as automationInvariants } from '@hookline/automation/ops';
import { invariants as contentInvariants } from '@hookline/content/ops';
import { invariants as schedulingInvariants } from '@hookline/scheduling/ops';
import { type Invariant, outboxInvariants } from '@hookline/shared/postgres';
import { outboxSchemas } from './sql.ts';

// The time that one service's change has to reach another over the bus.
const settled = `now() - interval '15 minutes'`;
// Lost events are detected after 30 minutes and repaired within five.
const silent = `now() - interval '40 minutes'`;

const acrossServices: readonly Invariant[] = [
  {
    name: 'across: what is posted is approved, and its owner’s',
    sql: `select s.id, coalesce(c.id || ' is ' || c.approval_status || ' of ' || c.account_id, s.content_id || ' is not there') as what
      from scheduling.schedules s left join content.contents c on c.id = s.content_id
      where s.status = 'sent' and (c.id is null or c.approval_status <> 'approved' or c.account_id <> s.account_id)`,
  },
  {
    name: 'across: the right to send ends with the schedule',
    sql: `select p.schedule_id as id, p.content_id || ' since ' || p.granted_at as what
      from content.send_permits p left join scheduling.schedules s on s.id = p.schedule_id
      where p.released_at is null and p.granted_at < ${settled}
        and (s.id is null or (s.status in ('sent', 'failed') and s.updated_at < ${settled}))`,
  },
  {
    name: 'across: a firing ends with its schedule',
    sql: `select f.id, coalesce(f.schedule_id || ' is ' || s.status, f.schedule_id || ' is not there') as what
      from automation.firings f left join scheduling.schedules s on s.id = f.schedule_id
      where f.status = 'scheduled' and f.updated_at < ${settled}
        and (s.id is null or (s.status in ('sent', 'failed') and s.updated_at < ${settled}))`,
  },
  {
    name: 'across: a firing moves on with its content',
    sql: `select f.id, f.status || ', ' || coalesce(c.id || ' is ' || c.status || ' and ' || c.approval_status, 'no content was made') as what
      from automation.firings f left join content.contents c on c.origin_firing_id = f.id
      where f.status in ('fired', 'generated', 'awaiting_approval') and f.schedule_requested_at is null
        and f.updated_at < ${silent}
        and (c.id is null or (c.updated_at < ${silent}
          and (c.status = 'failed' or c.approval_status <> 'pending' or (f.status = 'fired' and c.status = 'ready'))))`,
  },
  {
    name: 'across: what a firing asks for is scheduled or refused',
    sql: `select f.id, 'asked at ' || f.schedule_requested_at as what
      from automation.firings f left join scheduling.schedule_requests r on r.firing_id = f.id
      where f.status in ('fired', 'generated', 'awaiting_approval') and f.schedule_requested_at < ${silent}
        and f.updated_at < ${silent} and r.due_at is null`,
  },
];

export const allInvariants: readonly Invariant[] = [
  ...contentInvariants,
  ...schedulingInvariants,
  ...automationInvariants,
  ...analyticsInvariants,
  ...acrossServices,
  ...outboxSchemas.flatMap(outboxInvariants),
];
