import { join } from 'node:path';
import { listTimeline } from '@hookline/scheduling/ops';
import {
  type DeliveryRow,
  type EventRow,
  listCredits,
  listDeliveries,
  listEvents,
  listReceipts,
  listScheduleIds,
  type Receipt,
} from '../queries/traces.ts';
import type { OperatorTarget } from '../target.ts';
import { type Happening, nest } from './lay-out.ts';
import { type LogLine, readLog } from './read-log.ts';

const services = ['content', 'scheduling', 'automation', 'analytics'] as const;

export type Trace = { happenings: Happening[]; traceId: string | null };

/** Everything that the log and the tables of a data folder contain about a request. */
export async function gather(target: OperatorTarget, dataDir: string, requestId: string): Promise<Trace> {
  const log = await readLog(join(dataDir, 'logs', 'hookline.log'), requestId);
  const schemas = new Map(services.map(name => [name, target.openSchema(name)]));
  const scheduling = target.openSchema('scheduling');
  const scheduleIds = await listScheduleIds(scheduling, requestId);
  const events = await listEvents(target.openSchema('bus'), requestId, scheduleIds);
  const eventIds = events.map(({ id }) => id);
  const receipts = await Promise.all(
    [...schemas].map(async ([service, db]) =>
      (await listReceipts(db, eventIds)).map(receipt => ({ service, ...receipt })),
    ),
  );
  const deliveries = await listDeliveries(target.openSchema('automation'), eventIds);
  const steps = await Promise.all(
    scheduleIds.map(async scheduleId =>
      (await listTimeline(scheduling, scheduleId)).map(step => ({ scheduleId, ...step })),
    ),
  );
  const credits = await listCredits(target.openSchema('content'), requestId);
  const requests = log.filter(line => line.msg === 'request').map(requestOf);
  // At the same instant a state comes before the event that reports it.
  const moments = [
    ...log.filter(line => line.msg !== 'request').map(momentOf),
    ...steps
      .flat()
      .map(({ scheduleId, what, detail, at }) =>
        moment('scheduling', new Date(at), `${scheduleId} ${what}${detail ? `: ${detail}` : ''}`),
      ),
    ...credits.map(({ amount, reason, at }) =>
      moment('content', at, `credits ${amount > 0 ? '+' : ''}${amount} (${reason})`),
    ),
    ...events.map(event => eventOf(event, receipts.flat(), deliveries)),
  ];
  return {
    happenings: nest(requests, moments),
    traceId: log.find(line => line.trace_id !== undefined)?.trace_id ?? null,
  };
}

function requestOf(line: LogLine): Happening {
  const { service, method, route, status, durationMs = 0, time } = line;
  const endMs = Date.parse(time);
  return {
    atMs: endMs - durationMs,
    durationMs,
    service,
    text: `${method} ${route} ${status}`,
    inner: [],
  };
}

function momentOf({ service, level, msg, err, time }: LogLine): Happening {
  const reason = err?.message ? `: ${err.message}` : '';
  return moment(service, new Date(time), `${level}: ${msg}${reason}`);
}

function moment(service: string, at: Date, text: string): Happening {
  return { atMs: at.getTime(), service, text, inner: [] };
}

function eventOf(
  { id, type, source, key, at }: EventRow,
  receipts: readonly (Receipt & { service: string })[],
  deliveries: readonly DeliveryRow[],
): Happening {
  const attempts = deliveries
    .filter(delivery => delivery.eventId === id)
    .flatMap(({ webhookId, attempts: made, status }) =>
      made.length === 0
        ? [moment('automation', at, `${webhookId} ${status}, no attempt yet`)]
        : made.map(({ at: sentAt, durationMs, responseStatus, error }) => ({
            ...moment('automation', new Date(sentAt), `sent to ${webhookId}: ${error ?? responseStatus}`),
            durationMs,
          })),
    );
  const effects = receipts
    .filter(receipt => receipt.eventId === id)
    .map(({ service, consumer, at: receivedAt }) => ({
      ...moment(service, receivedAt, `${consumer} took it`),
      inner: consumer === 'automation.webhook-events' ? attempts : [],
    }));
  return {
    ...moment(source.split('/').at(-1) ?? source, at, `event ${type} of ${key}`),
    inner: effects,
  };
}
