import { minuteMs } from '@hookline/shared/kernel/durations';
import { expect, it } from 'vitest';
import type { Recorded } from '../../kit/run/history.ts';
import type { Arrival } from '../../kit/servers/receivers.ts';
import { checkChaos } from './check.ts';
import type { ContentRow, Evidence } from './evidence.ts';
import type { ChaosLine } from './history.ts';
import { invariants, type Run } from './invariants.ts';

type Mutable = { history: ChaosLine[]; evidence: Evidence; platform: Run['platform'] };

const content = (id: string, change: Partial<ContentRow> = {}): ContentRow => ({
  ...{ id, appId: 'app_1', accountId: 'acct_1', status: 'ready', approvalStatus: 'approved', firingId: null },
  ...change,
});
const created = (isAfterwards: boolean): ChaosLine => ({
  ...{
    kind: 'created',
    account: 0,
    key: 'k',
    contentId: 'content_1',
    digest: 'd',
    isPostable: true,
    isAfterwards,
  },
});
const decided = (decision: 'approve' | 'reject', sentMs: number, status = 200): ChaosLine => ({
  ...{ kind: 'decided', contentId: 'content_1', decision, sentMs, doneMs: sentMs + 5, status },
});
const arrived = (resource: string, type: string, change: Partial<Arrival> = {}): Arrival => ({
  ...{ kind: 'arrived', endpoint: 3, id: `event ${resource} ${type}`, resource, type, sequence: 1 },
  ...{ digest: `${resource} ${type}`, isGenuine: true, isOfRotation: false, isTaken: true },
  ...change,
});
const asked = (window: string, sentMs: number, status = 200): ChaosLine => ({
  ...{ kind: 'asked', operation: 'x', code: null, windows: [window], sentMs, doneMs: sentMs + 5, status },
});
const wanted = (title: string, isWithoutScope = false): ChaosLine => ({
  ...{ kind: 'wanted', title, contentId: 'content_1', account: 'maya' },
  ...{ scheduledFor: '2026-11-21T00:00:00.000Z', isWithoutScope },
});
const call = (title: string, mediaDigest: string) => ({
  ...{ publishId: `p ${mediaDigest} ${title}`, account: 'maya', title, acceptedAt: 500 },
  ...{ status: 'SEND_TO_USER_INBOX' as const, failReason: null, arrivedAt: 600, mediaDigest },
});
const schedule = (id: string, firingId: string | null = null) => ({
  ...{ id, accountId: 'acct_1', firingId, isDue: true, isHeld: false },
});

/**
 * One content that is approved and posted, one that an automation created and posted, one key that was
 * revoked.
 */
function goodRun(): Mutable {
  return {
    history: [
      { kind: 'customer', account: 0, appId: 'app_1', endpoints: [3] },
      { kind: 'automation', account: 0, automationId: 'automation_1', doneMs: 0 },
      created(false),
      decided('approve', 100),
      wanted('plain'),
      { kind: 'scheduled', title: 'plain', id: 'schedule_1' },
      wanted('gone'),
      { kind: 'scheduled', title: 'gone', id: 'schedule_9' },
      { kind: 'withdrawn', title: 'gone', status: 200 },
      wanted('forbidden', true),
      { kind: 'refused', title: 'forbidden', code: 'missing_scope' },
      { kind: 'revoked', key: 'key_1', sentMs: 1_000, doneMs: 1_010, status: 200 },
      asked('key:key_1', 900),
      asked('key:key_1', 1_020, 401),
      { kind: 'paused', automationId: 'automation_1', sentMs: minuteMs + 30_000 },
      { kind: 'poison', topic: 'content.jobs', key: 'poison' },
      { kind: 'ready', service: 'content', replica: 0, afterMs: 10 },
      { kind: 'settled', afterMs: 10, left: [] },
      created(true),
      arrived('job:content_1', 'job.completed'),
      arrived('content:content_1', 'content.approved'),
      arrived('schedule:schedule_1', 'schedule.sent_to_drafts', { sequence: 3 }),
      arrived('schedule:schedule_2', 'schedule.sent_to_drafts', { sequence: 2 }),
    ],
    evidence: {
      ledger: [{ account: 'acct_1', balance: 8, granted: 10, ready: 2, charged: 2, ledger: 8 }],
      contents: [content('content_1'), content('content_2', { firingId: 'firing_1' })],
      sequences: ['job:content_1', 'content:content_1'].map(resource => ({ resource, sequence: 1 })),
      schedules: [schedule('schedule_1'), schedule('schedule_2', 'firing_1')],
      posting: {
        schedules: ['schedule_1', 'schedule_2'].map(id => ({
          ...{ id, title: id, status: 'sent', failureCode: null, reason: null },
        })),
        attempts: [
          { id: 'a1', scheduleId: 'schedule_1', state: 'delivered', mediaDigest: 'd1', fence: 1 },
          { id: 'a2', scheduleId: 'schedule_2', state: 'delivered', mediaDigest: 'd2', fence: 1 },
        ],
        timeline: [],
      },
      firings: [
        { id: 'firing_1', automationId: 'automation_1', slotMs: minuteMs, status: 'done', reason: null },
      ],
      deadLetters: [{ topic: 'content.jobs', key: 'poison', group: 'automation.feed', error: 'SyntaxError' }],
      broken: [],
    },
    platform: { calls: [call('plain', 'd1'), call('the deck of content_2', 'd2')], inits: [] },
  };
}

function judge({ history, ...rest }: Mutable) {
  const { verdicts, figures } = checkChaos({
    ...rest,
    history: history.map((line, at) => ({ at, ...line }) as Recorded<ChaosLine>),
  });
  return { isGreen: verdicts.every(one => one.isGreen()), own: verdicts[1], posting: verdicts[0], figures };
}

it('is green where everything agrees', () => {
  const { isGreen, own, figures } = judge(goodRun());
  expect([isGreen, own?.lines()]).toEqual([true, expect.anything()]);
  expect(figures).toMatchObject({
    contents: 2,
    schedules: 2,
    posts: 2,
    slots: 1,
    deliveries: 4,
    sentAfter: 1,
  });
  expect(Object.values(invariants).map(name => own?.counts(name).ok)).not.toContain(0);
});

const change = (run: Mutable, kind: ChaosLine['kind'], by: object): void => {
  Object.assign(run.history.find(line => line.kind === kind) as object, by);
};
const drop = (run: Mutable, test: (line: ChaosLine) => boolean): void => {
  run.history = run.history.filter(line => !test(line));
};
const { contents, ledger, posts, webhooks, access, slots, rest } = invariants;

const plantings: [what: string, plant: (run: Mutable) => void, invariant: string, expected: object][] = [
  // With its decisions.
  ['a content that is gone', run => run.evidence.contents.shift(), contents, { lost: 2 }],
  [
    'another body',
    run => run.history.push({ ...created(true), digest: 'e' } as ChaosLine),
    contents,
    { unexpected: 1 },
  ],
  [
    'two contents of a key',
    run => {
      run.history.push({ ...created(false), contentId: 'content_3' } as ChaosLine);
      run.evidence.contents.push(content('content_3'));
    },
    contents,
    { duplicated: 1 },
  ],
  [
    'no answer afterwards',
    run => drop(run, line => line.kind === 'created' && line.isAfterwards),
    contents,
    { lost: 1 },
  ],
  [
    'a content that nobody was told of',
    run => run.evidence.contents.push(content('x')),
    contents,
    { unexpected: 1 },
  ],
  ['a decision that is gone', run => run.history.push(decided('reject', 700)), contents, { lost: 1 }],
  [
    'a charge too many',
    run => Object.assign(run.evidence.ledger[0]!, { charged: 3 }),
    ledger,
    { duplicated: 1 },
  ],
  ['a charge too few', run => Object.assign(run.evidence.ledger[0]!, { charged: 1 }), ledger, { lost: 1 }],
  [
    'a balance that is off',
    run => Object.assign(run.evidence.ledger[0]!, { balance: 9 }),
    ledger,
    { unexpected: 1 },
  ],
  ['a post that was withdrawn', run => run.platform.calls.push(call('gone', 'd1')), posts, { unexpected: 1 }],
  [
    'a withdrawn schedule that is there',
    run => run.evidence.schedules.push(schedule('schedule_9')),
    posts,
    { unexpected: 1 },
  ],
  // Once as refused, once as lacking the scope.
  [
    'a post without the scope',
    run => run.platform.calls.push(call('forbidden', 'd1')),
    posts,
    { unexpected: 2 },
  ],
  [
    'a post of what was rejected',
    run => {
      run.history.push(decided('reject', 200));
      Object.assign(run.evidence.contents[0]!, { approvalStatus: 'rejected' });
    },
    posts,
    { unexpected: 1 },
  ],
  [
    'a post of what nobody approved',
    run => change(run, 'decided', { status: 409 }),
    posts,
    { unexpected: 1 },
  ],
  [
    'an unresolved post',
    run =>
      Object.assign(run.evidence.posting.schedules[0]!, { status: 'failed', failureCode: 'outcome_unknown' }),
    posts,
    { lost: 1 },
  ],
  ['an event that is lost', run => drop(run, line => line.kind === 'arrived'), webhooks, { lost: 4 }],
  [
    'an event that was only refused',
    run => change(run, 'arrived', { isTaken: false }),
    webhooks,
    { lost: 1 },
  ],
  [
    'an event of nobody',
    run => run.history.push(arrived('content:content_1', 'content.rejected', { sequence: 2 })),
    webhooks,
    { unexpected: 1 },
  ],
  [
    'a duplicate with another id',
    run => run.history.push(arrived('job:content_1', 'job.completed', { id: 'other' })),
    webhooks,
    { duplicated: 1 },
  ],
  [
    'more duplicates than a few',
    run => run.history.push(arrived('job:content_1', 'job.completed')),
    webhooks,
    { duplicated: 1 },
  ],
  [
    'a revoked key that passes',
    run => run.history.push(asked('key:key_1', 2_000)),
    access,
    { unexpected: 1 },
  ],
  [
    'a window over its limit',
    run => run.history.push(...Array.from({ length: 122 }, (_, at) => asked('key:greedy', at * 10))),
    access,
    { unexpected: 2 },
  ],
  ['a slot without a firing', run => run.evidence.firings.pop(), slots, { lost: 1 }],
  [
    'a slot that fired twice',
    run => run.evidence.firings.push({ ...run.evidence.firings[0]!, id: 'firing_2' }),
    slots,
    { duplicated: 1 },
  ],
  [
    'a firing at no slot',
    run => run.evidence.firings.push({ ...run.evidence.firings[0]!, slotMs: minuteMs + 1 }),
    slots,
    { unexpected: 1 },
  ],
  [
    'two contents of a firing',
    run => run.evidence.contents.push(content('content_4', { firingId: 'firing_1' })),
    slots,
    { duplicated: 1 },
  ],
  [
    'a firing that stays open',
    run => Object.assign(run.evidence.firings[0]!, { status: 'fired' }),
    slots,
    { lost: 1 },
  ],
  ['a replica that is not ready', run => change(run, 'ready', { afterMs: null }), rest, { lost: 1 }],
  [
    'a replica that ended by itself',
    run => run.history.push({ kind: 'fell', whom: 'content', text: 'out of memory' }),
    rest,
    { unexpected: 1 },
  ],
  ['work that is left over', run => change(run, 'settled', { left: ['delivery_1'] }), rest, { lost: 1 }],
  ['poison that is gone', run => run.evidence.deadLetters.pop(), rest, { lost: 1 }],
  [
    'a dead letter that was none of ours',
    run => Object.assign(run.evidence.deadLetters[0]!, { key: 'content_1' }),
    rest,
    { lost: 1, unexpected: 1 },
  ],
  ['tables that disagree', run => run.evidence.broken.push('content: x'), rest, { unexpected: 1 }],
];

it.each(plantings)('turns red at %s', (_what, plant, invariant, expected) => {
  const run = goodRun();
  plant(run);
  const { isGreen, own } = judge(run);
  expect(isGreen).toBe(false);
  expect(own?.counts(invariant)).toMatchObject(expected);
});

it('turns red at a second post, of a client’s schedule and of a firing’s', () => {
  for (const digest of ['d1', 'd2']) {
    const run = goodRun();
    run.platform.calls.push(call('plain', digest));
    expect(judge(run).posting?.counts('posts per schedule')).toMatchObject({ duplicated: 1 });
  }
});

it('distinguishes a duplicate after a kill of the sender from one that nothing explains', () => {
  const run = goodRun();
  run.history.push(arrived('job:content_1', 'job.completed'));
  expect(judge(run).figures).toMatchObject({ duplicates: 1, duplicatesBehindFaults: 0 });
  run.history.splice(-1, 0, { kind: 'fault', what: 'kill', whom: 'automation' });
  expect(judge(run).figures).toMatchObject({ duplicates: 1, duplicatesBehindFaults: 1 });
});

it('says nothing of a window while a gateway counted alone, and starts over when Redis has forgotten', () => {
  const greedy = (from: number) =>
    Array.from({ length: 100 }, (_, at) => asked('key:greedy', from + at * 10));
  const run = goodRun();
  run.history.push(...greedy(0), ...greedy(5_000));
  run.history.push({ kind: 'alone', sinceMs: 4_000, untilMs: 7_000, hasRedisForgotten: false });
  expect(judge(run).isGreen).toBe(true);
  const forgotten = goodRun();
  forgotten.history.push(...greedy(0), ...greedy(5_000));
  forgotten.history.push({ kind: 'alone', sinceMs: 2_000, untilMs: 3_000, hasRedisForgotten: true });
  expect(judge(forgotten).isGreen).toBe(true);
  forgotten.history.pop();
  expect(judge(forgotten).isGreen).toBe(false);
});
