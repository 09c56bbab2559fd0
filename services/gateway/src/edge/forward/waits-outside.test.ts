import { createSource } from '@hookline/shared/contracts/analytics';
import { createContent, preflightContent } from '@hookline/shared/contracts/content';
import { createSchedule, deleteAccount, updateSchedule } from '@hookline/shared/contracts/schedules';
import { createWebhook, testWebhook, updateWebhook } from '@hookline/shared/contracts/webhooks';
import { expect, it } from 'vitest';
import { waitsOutside } from './waits-outside.ts';

it.each([
  ['a test of a webhook', testWebhook, undefined, true],
  ['a new webhook', createWebhook, '{"url":"https://example.com"}', true],
  ['a webhook that moves', updateWebhook, '{"status":"enabled","url":"https://example.com"}', true],
  ['a webhook that is disabled', updateWebhook, '{"status":"disabled"}', false],
  ['a change that the owner refuses', updateWebhook, '{', false],
  ['a token to verify', createSource, '{}', true],
  ['tokens to revoke', deleteAccount, undefined, true],
  ['a new content', createContent, '{}', false],
  ['a post now', createSchedule, '{"contentId":"content_1"}', true],
  [
    'a post now that says so',
    createSchedule,
    '{"scheduledFor":"2027-01-01T00:00:00Z","scheduledFor":null}',
    true,
  ],
  ['a schedule', createSchedule, '{"scheduledFor":"2027-01-01T00:00:00Z"}', false],
  ['a schedule for the next slot', createSchedule, '{"slot":"next"}', false],
  ['a direct post for later', createSchedule, '{"slot":"next","mode":"publish"}', true],
  ['what the owner refuses', createSchedule, '{', false],
  ['a schedule that moves', updateSchedule, '{"slot":"next","externalId":null}', false],
  ['a schedule with another title', updateSchedule, '{"slot":"next","title":null}', true],
  ['what would prevent a post', preflightContent, undefined, true],
] as const)('%s', (_, contract, body, expected) => {
  expect(
    waitsOutside({ contract: { ...contract, id: '' } }, body === undefined ? undefined : Buffer.from(body)),
  ).toBe(expected);
});
