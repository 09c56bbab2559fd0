import { describe, expect, it } from 'vitest';
import { type FiringFacts, missedNews, type OpenFiring } from './missed-news.rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const ago = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
const nothing: FiringFacts = { content: null, schedule: null, request: 'none' };
const fired: OpenFiring = {
  status: 'fired',
  contentId: null,
  scheduleId: null,
  scheduleRequestedAt: null,
  createdAt: ago(1),
};
const ready = { id: 'c', status: 'ready', approvalStatus: 'pending', decidedAt: null, error: null } as const;
const asked: OpenFiring = { ...fired, status: 'generated', contentId: 'c', scheduleRequestedAt: ago(1) };
const schedule = { id: 's', contentId: 'c', status: 'pending', failure: null } as const;
const failure = { code: 'token_revoked', message: 'Connect the account again.' };

describe('what a firing missed', () => {
  it.each<[string, OpenFiring, Partial<FiringFacts>, ReturnType<typeof missedNews>]>([
    ['no content was made', fired, {}, { kind: 'fire_again' }],
    ['its content is being made', fired, { content: { ...ready, status: 'running' } }, { kind: 'none' }],
    ['its content is ready', fired, { content: ready }, { kind: 'generation', failure: null }],
    [
      'its content is approved by itself, any moment now',
      { ...fired, status: 'generated' },
      { content: { ...ready, waitsBecause: null } },
      { kind: 'none' },
    ],
    [
      'its content waits for a person after all',
      { ...fired, status: 'generated' },
      { content: { ...ready, waitsBecause: 'nobody has looked at the app' } },
      { kind: 'generation', failure: null },
    ],
    [
      'its content waits for a person',
      { ...fired, status: 'awaiting_approval' },
      { content: ready },
      { kind: 'none' },
    ],
    [
      'its content failed',
      fired,
      { content: { ...ready, status: 'failed', error: failure } },
      { kind: 'generation', failure },
    ],
    [
      'its content was approved',
      { ...fired, status: 'awaiting_approval', createdAt: ago(500) },
      { content: { ...ready, approvalStatus: 'approved', decidedAt: ago(2) } },
      { kind: 'approval' },
    ],
    [
      'its content was rejected',
      fired,
      { content: { ...ready, approvalStatus: 'rejected' } },
      { kind: 'rejection' },
    ],
    ['its request never arrived', asked, { content: ready }, { kind: 'request_again' }],
    ['its request waits', asked, { request: 'waiting' }, { kind: 'none' }],
    [
      'its schedule waits',
      asked,
      { schedule, request: 'answered' },
      { kind: 'schedule', status: 'scheduled', reason: null },
    ],
    ['it knows that', { ...asked, status: 'scheduled', scheduleId: 's' }, { schedule }, { kind: 'none' }],
    [
      'its schedule is sent',
      asked,
      { schedule: { ...schedule, status: 'sent' } },
      { kind: 'schedule', status: 'done', reason: null },
    ],
    [
      'its schedule failed',
      asked,
      { schedule: { ...schedule, status: 'failed', failure } },
      { kind: 'schedule', status: 'failed', reason: 'token_revoked: Connect the account again.' },
    ],
    [
      'its schedule was deleted',
      { ...asked, status: 'scheduled', scheduleId: 's' },
      { request: 'answered' },
      { kind: 'over', status: 'skipped', reason: 'the schedule was deleted' },
    ],
  ])('what a firing missed when %s', (_, firing, facts, news) => {
    expect(missedNews(firing, { ...nothing, ...facts }, now)).toEqual(news);
  });

  it.each<[string, OpenFiring, Partial<FiringFacts>]>([
    ['a slot of the day before yesterday', { ...fired, createdAt: ago(25) }, {}],
    ['a request of the day before yesterday', { ...asked, scheduleRequestedAt: ago(25) }, {}],
    ['a request that was answered without a schedule', asked, { request: 'answered' }],
    [
      'an approval of the day before yesterday',
      { ...fired, status: 'awaiting_approval' },
      { content: { ...ready, approvalStatus: 'approved', decidedAt: ago(25) } },
    ],
  ])('%s is not posted after a day', (_, firing, facts) => {
    expect(missedNews(firing, { ...nothing, ...facts }, now)).toMatchObject({
      kind: 'over',
      status: 'failed',
    });
  });
});
