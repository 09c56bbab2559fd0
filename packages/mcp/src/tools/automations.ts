import {
  Automation,
  CreateAutomationBody,
  type CreateAutomationBody as CreateAutomationInput,
} from '@hookline/shared/contracts/automations';
import { Brief } from '@hookline/shared/contracts/brief';
import { exampleIds } from '@hookline/shared/contracts/examples';
import { weekdays } from '@hookline/shared/contracts/posting-times';
import { z } from 'zod';
import { ask, create, queryOf } from '../api.ts';
import { again, args, defineTool, reads, writes } from '../tool.ts';
import { id, type Page, paging, rows } from './lists.ts';

const automationId = id('the automation', exampleIds.automation);
const Shown = Automation.pick({
  ...{ id: true, appId: true, tiktokAccountId: true, postingTimes: true, timezone: true },
  ...{ topics: true, nextTopic: true, firingsLeft: true, approvalMode: true, postingMode: true },
  ...{ status: true, endedReason: true, nextFireAt: true, nothingNewSince: true },
});
const body = CreateAutomationBody.shape;
const timeError = 'must be a 24-hour time HH:MM, such as 09:30';

export const listAutomations = defineTool({
  ...reads,
  name: 'list_automations',
  title: 'List automations',
  description: 'Lists the recurring plans, newest first, with their next firing. Costs nothing.',
  scopes: ['automations:read'],
  input: args(paging),
  output: rows(Shown),
  run: async ({ limit = 20, cursor }, { api }) => {
    const path = `/automations${queryOf({ limit, cursor })}`;
    const { data, nextCursor } = await ask<Page<Automation>>(api, 'GET', path);
    return { record: { rows: data, nextCursor } };
  },
});

export const previewAutomation = defineTool({
  ...reads,
  name: 'preview_automation',
  title: 'Preview the next firings',
  description: 'Answers when an automation fires next, in UTC and in its own time zone. Costs nothing.',
  scopes: ['automations:read'],
  input: args({
    automationId,
    count: z
      .int({ error: 'must be an integer from 1 to 50' })
      .min(1)
      .max(50)
      .optional()
      .meta({ description: 'Number of firings. Default 10.', examples: [5] }),
  }),
  output: z.object({ firings: z.array(z.object({ fireAt: z.string(), local: z.string() })) }),
  run: async ({ automationId, count }, { api }) => {
    const path = `/automations/${encodeURIComponent(automationId)}/next${queryOf({ count })}`;
    return { record: { firings: (await ask<{ data: unknown[] }>(api, 'GET', path)).data } };
  },
});

export const createAutomation = defineTool({
  ...writes,
  name: 'create_automation',
  title: 'Create an automation',
  description:
    'Creates a recurring plan that writes a deck for an app at each posting time and posts it to one TikTok account once a person has approved it. Each deck costs 1 credit. Every deck waits for a person: this tool cannot create a plan that approves its own decks. Publishing instead of drafts also needs the scope schedules:publish. A workspace has at most 100 automations.',
  scopes: ['automations:write'],
  input: args({
    appId: id('the app', exampleIds.app),
    tiktokAccountId: id('the TikTok account', exampleIds.account),
    times: z
      .array(z.string({ error: timeError }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, timeError))
      .min(1)
      .max(10)
      .meta({ description: 'Times of day, 24-hour, in the time zone below.', examples: [['08:30']] }),
    days: z
      .array(z.enum(weekdays, { error: `must be one of ${weekdays.join(', ')}` }))
      .min(1)
      .max(7)
      .optional()
      .meta({ description: 'Days of the week. Default every day.', examples: [['mon', 'thu']] }),
    timezone: body.timezone,
    topic: Brief.shape.topic.meta({ description: 'What every deck is about. Left out: the app.' }),
    topics: body.topics.meta({ description: 'Topics, used in turn, one a deck; instead of topic.' }),
    until: body.until,
    maxFirings: body.maxFirings,
    templateId: Brief.shape.templateId.meta({ description: 'How the slides look. Default auto.' }),
    postingMode: body.postingMode.meta({ description: 'drafts (default) or publish.' }),
    privacyLevel: body.privacyLevel.meta({ description: 'Required for publish.' }),
    ...again,
  }),
  output: Shown,
  run: async (
    { times, days = [...weekdays], topic, templateId = 'auto', idempotencyKey: _, ...fields },
    { api, once },
  ) => {
    const request: CreateAutomationInput = {
      ...fields,
      format: 'slideshow',
      // A person looks at every deck that an agent's plan writes.
      approvalMode: 'manual',
      postingTimes: times.map(time => ({ time, days: [...new Set(days)] })),
      brief: { templateId, ...(topic === undefined ? {} : { topic }) },
    };
    const { record } = await create<Automation>(api, '/automations', request, once);
    return { record };
  },
});

export const pauseAutomation = defineTool({
  ...writes,
  name: 'pause_automation',
  title: 'Pause an automation',
  description:
    'Stops an automation from firing until a person resumes it. Decks and schedules that it made stay. Costs nothing.',
  scopes: ['automations:write'],
  input: args({ automationId }),
  output: Automation.pick({ id: true, status: true, nextFireAt: true }),
  run: async ({ automationId }, { api }) => {
    const path = `/automations/${encodeURIComponent(automationId)}`;
    const { data } = await ask<{ data: Automation }>(api, 'PATCH', path, { status: 'paused' });
    return { record: { id: data.id, status: data.status, nextFireAt: data.nextFireAt } };
  },
});
