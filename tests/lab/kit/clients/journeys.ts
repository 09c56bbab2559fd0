/**
 * Journeys from a content to its webhooks, each under one client trace, and the collector's record of them.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { checkJourney, type JourneyTrace } from '../checks/trace-check.ts';
import type { TraceCollector } from '../servers/trace-collector.ts';
import type { Creators } from './creators.ts';

export type Journey = JourneyTrace & {
  clientSpanIds: Set<string>;
  /** As the client saw them, with the service that answered each. */
  requests: { requestId: string; service: string }[];
};

/** Events that a journey's webhooks deliver. */
export const journeyEvents = ['job.completed', 'content.approved', 'schedule.published'] as const;

const expectedSpans = [
  'hookline-gateway POST /api/v1/content',
  'hookline-content POST /v1/content',
  'hookline-gateway POST /api/v1/content/:id/approve',
  'hookline-content POST /v1/content/:id/approve',
  'hookline-gateway POST /api/v1/schedules',
  'hookline-scheduling POST /v1/schedules',
  'hookline-scheduling send schedule',
  'hookline-scheduling settle schedule',
  // The platform.
  'hookline-scheduling POST',
  'hookline-gateway redis admit',
  ...['content', 'scheduling', 'analytics'].map(name => `hookline-${name} postgresql insert`),
  // Its statements are those of all events that are read together, in the trace of one.
  'hookline-automation process content.jobs',
  ...['content.jobs', 'content.approvals'].map(topic => `hookline-content send ${topic}`),
  ...journeyEvents.map(() => 'hookline-automation deliver webhook'),
];

/** Registers an endpoint for the events of the journeys. @returns its secret. */
export async function registerWebhook({ client }: Creators, url: string): Promise<string> {
  const made = await client.api<{ secret: string }>('POST', '/webhooks', {
    token: client.key,
    body: { url, events: journeyEvents },
  });
  if (made.error) throw new Error(made.text);
  return made.data.secret;
}

/** Makes the journeys, `atOnce` at a time, on the creators in turn. The posts follow automatically. */
export async function makeJourneys(creators: Creators, count: number, atOnce = 4): Promise<Journey[]> {
  const journeys: Journey[] = [];
  let begun = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (; begun < count; ) {
        const account = creators.accounts[begun++ % creators.accounts.length];
        journeys.push(await makeJourney(creators, account?.id ?? ''));
      }
    }),
  );
  return journeys;
}

async function makeJourney({ client }: Creators, tiktokAccountId: string): Promise<Journey> {
  const traceId = randomBytes(16).toString('hex');
  const journey: Journey = { traceId, clientSpanIds: new Set(), requests: [] };
  const ask = async (service: string, path: string, body: unknown): Promise<string> => {
    const spanId = randomBytes(8).toString('hex');
    journey.clientSpanIds.add(spanId);
    const answer = await client.api<{ id: string }>('POST', path, {
      token: client.key,
      body,
      headers: {
        traceparent: `00-${traceId}-${spanId}-01`,
        ...(path === '/content' ? { 'idempotency-key': traceId } : {}),
      },
    });
    journey.requests.push({ requestId: answer.headers.get('x-request-id') ?? '', service });
    if (answer.error) throw new Error(`${path}: ${answer.text}`);
    return answer.data.id;
  };
  const brief = { templateId: 'quote-card', slideCount: 3 };
  const contentId = await ask('content', '/content', { appId: client.appId, type: 'slideshow', brief });
  await ask('content', `/content/${contentId}/approve`, {});
  await ask('scheduling', '/schedules', {
    contentId,
    tiktokAccountId,
    mode: 'publish',
    privacyLevel: 'PUBLIC_TO_EVERYONE',
    scheduledFor: new Date(Date.now() + 1_000).toISOString(),
  });
  return journey;
}

export type TraceFigures = {
  journeys: number;
  whole: number;
  spans: number;
  linked: number;
  complaints: string[];
};

/** Waits up to `withinMs` for outstanding work, then judges each journey. */
export async function judgeTraces(
  collector: TraceCollector,
  journeys: readonly Journey[],
  withinMs: number,
): Promise<TraceFigures> {
  const judge = (journey: Journey): string[] =>
    checkJourney(collector.spansOf(journey.traceId), journey, expectedSpans);
  const untilMs = performance.now() + withinMs;
  while (performance.now() < untilMs && journeys.some(journey => judge(journey).length > 0)) {
    await wait(500);
  }
  const spans = journeys.flatMap(journey => collector.spansOf(journey.traceId));
  const found = journeys.map(judge);
  return {
    journeys: journeys.length,
    whole: found.filter(complaints => complaints.length === 0).length,
    spans: spans.length,
    linked: spans.filter(span => span.links.length > 0).length,
    complaints: found.flat(),
  };
}
