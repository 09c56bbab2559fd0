import { expect, it } from 'vitest';
import type { Recorded } from '../../kit/run/history.ts';
import type { Arrival } from '../../kit/servers/receivers.ts';
import { checkWebhooks } from './check.ts';
import type { WebhookLine } from './history.ts';

const committed = [
  { resource: 'job:content_1', sequence: 1 },
  { resource: 'content:content_1', sequence: 2 },
];
const arrival = (resource: string, sequence: number, change: Partial<Arrival> = {}): WebhookLine => ({
  ...{ kind: 'arrived', endpoint: 0, id: `event_${resource}_${sequence}`, resource, type: '', sequence },
  ...{ digest: `${resource}${sequence}`, isGenuine: true, isOfRotation: false, isTaken: true },
  ...change,
});
const start: WebhookLine[] = [
  { kind: 'endpoint', endpoint: 0, account: 7, isFlapping: false },
  { kind: 'content', account: 7, contentId: 'content_1' },
  { kind: 'decision', contentId: 'content_1', decision: 'approve' },
  { kind: 'decision', contentId: 'content_1', decision: 'reject' },
];
const all = [
  arrival('job:content_1', 1),
  arrival('content:content_1', 1),
  arrival('content:content_1', 2),
] as const;
const check = (...lines: WebhookLine[]) =>
  checkWebhooks(
    [...start, ...lines].map((line, at) => ({ ...line, at }) as Recorded<WebhookLine>),
    committed,
  );

it('is green when everything arrived once and in order', () => {
  const { verdicts, figures } = check(...all);
  expect(verdicts.isGreen()).toBe(true);
  expect(figures).toMatchObject({ events: 3, deliveries: 3, duplicatesCalm: 0, inversions: 0 });
});

it('sees a loss, also of what only a refusing receiver got', () => {
  expect(check(all[0], all[1]).verdicts.counts()).toMatchObject({ lost: 1 });
  expect(check(all[0], all[1], { ...all[2], isTaken: false } as WebhookLine).verdicts.counts().lost).toBe(1);
});

it('counts as recovered what was taken at the second try', () => {
  const { verdicts, figures } = check({ ...all[0], isTaken: false } as WebhookLine, ...all);
  expect([verdicts.isGreen(), verdicts.counts().recovered, figures.duplicatesCalm]).toEqual([true, 1, 0]);
});

it('sees a duplicate in calm, counts one under faults, and never lets other bytes pass', () => {
  expect(check(...all, all[2]).verdicts.counts().duplicated).toBe(1);
  const faulty: WebhookLine = { kind: 'phase', phase: 'faults' };
  const repeated = check(...all, faulty, all[2]);
  expect([repeated.verdicts.isGreen(), repeated.figures.duplicatesFaults]).toEqual([true, 1]);
  expect(repeated.isWithinDuplicates).toBe(false);
  const changed = { ...all[2], digest: 'other' } as WebhookLine;
  expect(check(...all, faulty, changed).verdicts.counts().unexpected).toBe(1);
});

it('sees an inversion, a forged signature, a stranger, and a decision without an event', () => {
  expect(check(all[0], all[2], all[1]).figures.inversions).toBe(1);
  expect(check(...all.slice(0, 2), { ...all[2], isGenuine: false } as WebhookLine).verdicts.isGreen()).toBe(
    false,
  );
  expect(check(...all, arrival('content:content_2', 1)).verdicts.counts().unexpected).toBe(1);
  const more: WebhookLine = { kind: 'decision', contentId: 'content_1', decision: 'approve' };
  expect(check(more, ...all).verdicts.counts().lost).toBe(1);
});
