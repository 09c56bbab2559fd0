import type { UpdateAutomationBody } from '@hookline/shared/contracts/automations';
import { expect, it } from 'vitest';
import { auditedDeed } from './audited-deed.rules.ts';

const sent = (body: unknown) => Buffer.from(JSON.stringify(body));

it('names the host of a webhook and no more of its address', () => {
  const body = sent({ url: 'https://hooks.example/in?token=secret', events: ['content.approved'] });
  const deed = auditedDeed('createWebhook', {}, body);
  expect(deed).toEqual({
    action: 'webhook.created',
    subject: { kind: 'webhook', id: null },
    detail: { request: 'createWebhook', fields: ['url', 'events'], host: 'hooks.example' },
  });
});

it('says how an automation approves and posts from now on, and not what it writes', () => {
  const powers = { approvalMode: 'auto', postingMode: 'publish' } satisfies UpdateAutomationBody;
  const body = sent({ ...powers, brief: { hook: 'Words' } });
  expect(auditedDeed('updateAutomation', { id: 'automation_1' }, body)).toMatchObject({
    subject: { kind: 'automation', id: 'automation_1' },
    detail: { fields: ['approvalMode', 'postingMode', 'brief'], ...powers },
  });
});

it.each([
  ['confirmAutomation', 'automation.confirmed'],
  ['reviewApp', 'app.reviewed'],
])('says who let an automation approve by itself: %s', (request, action) => {
  expect(auditedDeed(request, { id: 'one' }, sent({}))?.action).toBe(action);
});

it('names provider, model and host of a text model, and never its key', () => {
  const sentModel = {
    provider: 'custom',
    model: 'm',
    baseUrl: 'https://llm.example/v1',
    apiKey: 'sk-secret',
  };
  const deed = auditedDeed('setTextModel', {}, sent(sentModel));
  expect(deed?.detail).toMatchObject({ provider: 'custom', model: 'm', host: 'llm.example' });
  expect(JSON.stringify(deed)).not.toContain('sk-secret');
});

it('takes an upload, whose body is no JSON', () => {
  expect(auditedDeed('addPicture', { id: 'product_1' }, undefined)?.detail).toEqual({
    ...{ request: 'addPicture', fields: [] },
  });
});

it('is nothing for other requests', () => {
  expect(auditedDeed('createSchedule', {}, sent({}))).toBeNull();
});
