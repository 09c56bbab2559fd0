import { expect, it } from 'vitest';
import type { PlatformCall, PlatformLog } from './platform-log.ts';
import { checkPosting } from './posting.ts';
import type { PostingDatabase } from './posting-database.ts';
import type { PostingLine } from './posting-history.ts';

type Run = { history: PostingLine[]; platform: PlatformLog; database: PostingDatabase };

function call(title: string, digest: string, change: Partial<PlatformCall> = {}): PlatformCall {
  return {
    publishId: `p ${digest}`,
    account: 'maya',
    title,
    acceptedAt: 1,
    status: 'SEND_TO_USER_INBOX',
    failReason: null,
    arrivedAt: 2,
    mediaDigest: digest,
    ...change,
  };
}

/** One schedule that was sent at once, and one whose first call lost its answer and was fenced. */
function goodRun(): Run {
  const attempt = (id: string, scheduleId: string, state: string) => ({
    id,
    scheduleId,
    state,
    mediaDigest: id,
    fence: 1,
  });
  const schedule = (id: string, title: string) => ({
    id,
    title,
    status: 'sent',
    failureCode: null,
    reason: null,
  });
  return {
    history: ['plain', 'fenced'].flatMap((title, at): PostingLine[] => [
      { kind: 'asked', title, account: 'maya', scheduledFor: '2026-11-21T00:00:00.000Z' },
      { kind: 'told', title, id: `s${at}` },
    ]),
    platform: {
      calls: [
        call('plain', 'a0'),
        call('fenced', 'a1', { status: 'FAILED', failReason: 'photo_pull_failed', arrivedAt: null }),
        call('fenced', 'a2'),
      ],
      inits: [{ at: 1, account: 'maya', publishId: null, code: 'rate_limit_exceeded', fault: 'set' }],
    },
    database: {
      schedules: [schedule('s0', 'plain'), schedule('s1', 'fenced')],
      attempts: [
        attempt('a0', 's0', 'delivered'),
        attempt('a1', 's1', 'fenced'),
        attempt('a2', 's1', 'delivered'),
      ],
      timeline: [],
    },
  };
}

const judge = ({ history, platform, database }: Run) => checkPosting(history, platform, database);

it('is green where each schedule has its one post', () => {
  const { verdicts, figures } = judge(goodRun());
  expect(verdicts.isGreen()).toBe(true);
  expect(verdicts.counts('schedules')).toMatchObject({ ok: 1, recovered: 1 });
  expect(figures).toMatchObject({
    told: 2,
    posts: 2,
    doubles: 0,
    ambiguous: 1,
    settled: 1,
    fencedAfterAccepted: 1,
  });
});

const plantings: [string, (run: Run) => void, string, object][] = [
  [
    'a post that is there twice',
    run => run.platform.calls.push(call('plain', 'a0', { publishId: 'again' })),
    'posts per schedule',
    { duplicated: 1 },
  ],
  [
    'a fenced call that became a post',
    run => Object.assign(run.platform.calls[1]!, { arrivedAt: 3, status: 'SEND_TO_USER_INBOX' }),
    'calls',
    { unexpected: 1 },
  ],
  [
    'a call without an attempt',
    run => run.platform.calls.push(call('plain', 'a9', { arrivedAt: null })),
    'calls',
    { unexpected: 1 },
  ],
  [
    'a post that nobody asked for',
    run => run.platform.calls.push(call('stray', 'a9')),
    'posts per schedule',
    { unexpected: 1 },
  ],
  ['a schedule that is gone', run => run.database.schedules.pop(), 'schedules', { lost: 1 }],
  [
    'a schedule that stays open',
    run => Object.assign(run.database.schedules[0]!, { status: 'sending' }),
    'schedules',
    { lost: 1 },
  ],
  ['sent without a post', run => run.platform.calls.shift(), 'schedules', { lost: 1 }],
  [
    'failed with a post behind it',
    run =>
      Object.assign(run.database.schedules[0]!, { status: 'failed', failureCode: 'tiktok_create_failed' }),
    'schedules',
    { unexpected: 1 },
  ],
  [
    'a pace that the platform had to keep',
    run => Object.assign(run.platform.inits[0]!, { fault: null }),
    'pace',
    { unexpected: 1 },
  ],
];

it.each(plantings)('turns red at %s', (_what, spoil, invariant, expected) => {
  const run = goodRun();
  spoil(run);
  const { verdicts } = judge(run);
  expect(verdicts.isGreen()).toBe(false);
  expect(verdicts.counts(invariant)).toMatchObject(expected);
});

it('counts an unknown outcome as not settled, and not as lost', () => {
  const run = goodRun();
  Object.assign(run.database.schedules[0]!, { status: 'failed', failureCode: 'outcome_unknown' });
  Object.assign(run.database.attempts[0]!, { state: 'unknown' });
  run.database.timeline.push({ scheduleId: 's0', what: 'unconfirmed' });
  const { verdicts, figures } = judge(run);
  expect(verdicts.isGreen()).toBe(true);
  expect(figures).toMatchObject({ unknown: 1, ambiguous: 2, settled: 1 });
});
