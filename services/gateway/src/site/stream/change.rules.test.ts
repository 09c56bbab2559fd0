import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { publicEventTypes } from '@hookline/shared/contracts/webhooks';
import { describe, expect, it } from 'vitest';
import { changedKind, changesOfEvent } from './change.rules.ts';

/** Routes whose writes no stream reports. */
const silent = /^\/(auth|analytics|review)\//;

describe('changedKind', () => {
  it('names a kind for every write but sign-in, analytics, and what the feed reports', () => {
    const without = allRoutes.filter(route => route.method !== 'GET' && changedKind(route) === null);
    expect(without.filter(({ path }) => !silent.test(path)).map(({ id }) => id)).toEqual([
      'createContent',
      'approveContent',
      'duplicateContent',
      'rejectContent',
      'requestChanges',
    ]);
    expect(allRoutes.filter(route => route.method === 'GET' && changedKind(route) !== null)).toEqual([]);
  });

  it.each([
    ['editContent', 'content'],
    ['createSchedule', 'schedule'],
    ['runAutomation', 'automation'],
    ['rotateWebhook', 'webhook'],
    ['finishTiktok', 'account'],
    ['addPicture', 'app'],
    ['removeMember', 'member'],
    ['createKey', 'key'],
  ])('%s changes a %s', (id, kind) => {
    const route = allRoutes.find(candidate => candidate.id === id);
    expect(route && changedKind(route)).toBe(kind);
  });
});

describe('changesOfEvent', () => {
  it('knows every public event, and ignores others', () => {
    const kindsOf = (type: string, automationId: string | null = null) =>
      changesOfEvent({ type, resourceId: 'x_1', automationId }).map(({ kind }) => kind);
    for (const type of publicEventTypes) expect(kindsOf(type).length).toBeGreaterThan(0);
    expect(kindsOf('job.completed')).toEqual(['content', 'credits']);
    expect(kindsOf('content.approved', 'automation_1')).toEqual(['content', 'automation']);
    expect(kindsOf('webhook.test')).toEqual([]);
  });
});
