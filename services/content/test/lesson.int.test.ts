/** What earlier decks brought chooses the hook of the next. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Content } from '@hookline/shared/contracts/content';
import { formOfHook, type HookForm, hookForms, type Lesson } from '@hookline/shared/contracts/lesson';
import type { TextModel } from '@hookline/shared/contracts/text-model';
import { appLearned, automationFired } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { startSimulators } from '@hookline/simulators/simulators';
import { closeRenderThread } from '@hookline/slides';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller, testPerson } from '@hookline/testing/service-harness';
import { controlHeaders, controlToken } from '@hookline/testing/simulator-controls';
import { afterAll, expect, it } from 'vitest';
import { dataOf, startContent } from './world.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'hookline-lesson-'));
const model = perSuite(() => startSimulators({ port: 0, controlToken, dataDir }));
const under = perSuite(() =>
  startContent({ env: { SIGNUP_CREDITS: '100', LLM_ALLOW_TARGETS: `127.0.0.1:${model.port}` } }),
);
afterAll(async () => {
  await closeRenderThread();
  rmSync(dataDir, { recursive: true, force: true });
});

type Caller = ReturnType<typeof testCaller>;

/** Forms of hooks of which one brought many times the views of all others. */
const favouring = (best: HookForm): Lesson => ({
  best: [{ value: 'Seven pebbles, one jar', decks: 2, views: 5200, mean: 0.9, sd: 0.4 }],
  worst: [{ value: 'The habit app for you', decks: 1, views: 90, mean: -0.8, sd: 0.5 }],
  archetypes: [],
  forms: hookForms.map(value => ({ value, decks: 30, mean: value === best ? 2 : -2, sd: 0.1 })),
});

let sequence = 0;
async function teach({ accountId }: Caller, appId: string, lesson: Lesson, at = ++sequence): Promise<void> {
  const id = newId('event');
  await under.service.publish(appLearned, { subject: appId, accountId, data: lesson, id, sequence: at });
  const seen = `select from inbox where consumer = 'content.lessons' and event_id = $1`;
  await eventually(async () => expect(await under.service.db.query(seen, [id])).toHaveLength(1));
}

const make = async (caller: Caller, appId: string, brief = {}) =>
  dataOf<Content>(await under.create(caller, { appId, type: 'slideshow', brief }));
const learns = (caller: Caller, value: boolean) =>
  under.service.call('PATCH', '/v1/workspace/text-model', { caller, body: { learns: value } });
const lessonOf = async (appId: string) =>
  (await under.service.db.query<{ lesson: Lesson }>('select lesson from apps where id = $1', [appId]))[0]!
    .lesson;

it('the newest lesson of an app counts, in whatever order they come, and only for its workspace', async () => {
  const caller = testCaller();
  const appId = await under.importApp(caller);
  await teach(caller, appId, favouring('long'), 7);
  await teach(caller, appId, favouring('short'), 6);
  await teach(testCaller(), appId, favouring('number'), 8);
  expect(await lessonOf(appId)).toEqual(favouring('long'));
});

it.each(['long', 'short'] as const)(
  'the built-in writer takes %s hooks where they did best, and says so',
  async form => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    expect((await make(caller, appId)).writer?.because).toBeNull();
    await teach(caller, appId, favouring(form));
    const decks = [await make(caller, appId), await make(caller, appId)];
    for (const { result, writer } of decks) {
      expect(formOfHook(result!.hook)).toBe(form);
      const name = form === 'long' ? 'Long hooks' : 'Short hooks';
      expect(writer?.because).toBe(
        `${name} got about 7.4 times the views of this app's other posts (30 posts).`,
      );
    }
    expect(decks[0]!.result!.hook).not.toBe(decks[1]!.result!.hook);
  },
);

it('a given hook needs no reason; an edited one loses it, an edited caption does not', async () => {
  const caller = testCaller();
  const appId = await under.importApp(caller);
  await teach(caller, appId, favouring('long'));
  expect((await make(caller, appId, { hook: 'Rest first' })).writer?.because).toBeNull();
  const { id, writer } = await make(caller, appId);
  const edit = async (body: object) =>
    dataOf<Content>(await under.service.call('PATCH', `/v1/content/${id}`, { caller, body })).writer;
  expect(await edit({ caption: 'Another' })).toEqual(writer);
  expect(writer!.because).not.toBeNull();
  expect(await edit({ hook: 'Rest first' })).toEqual({ ...writer, because: null });
});

it('an automation learns without being told', async () => {
  const caller = testCaller();
  const appId = await under.importApp(caller);
  await teach(caller, appId, favouring('long'));
  const { accountId } = caller;
  const firingId = newId('firing');
  const data = { ...automationFired.example, appId, firingId, brief: null };
  await under.service.publish(automationFired, { subject: data.automationId, accountId, data });
  const read = () =>
    under.service.db.query<Pick<Content, 'result' | 'writer'>>(
      `select result, writer from contents where origin_firing_id = $1 and status = 'ready'`,
      [firingId],
    );
  await eventually(async () => expect(await read()).toHaveLength(1), 20_000);
  const [deck] = await read();
  expect(formOfHook(deck!.result!.hook)).toBe('long');
  expect(deck!.writer!.because).toContain('Long hooks got');
});

it('a workspace that switches it off gets what it got before', async () => {
  const caller = testPerson(testCaller(), 'Maya');
  const appId = await under.importApp(caller);
  const untaught = await make(caller, await under.importApp(caller));
  await teach(caller, appId, favouring('short'));
  const answer = await learns(caller, false);
  expect([answer.status, dataOf<TextModel>(answer)]).toMatchObject([200, { learns: false, source: 'none' }]);
  const { result, writer } = await make(caller, appId);
  expect([result!.hook, writer]).toEqual([untaught.result!.hook, untaught.writer]);
  expect(dataOf<TextModel>(await learns(caller, true)).learns).toBe(true);
  expect((await make(caller, appId)).writer!.because).not.toBeNull();
});

it('a model is told the best and worst hooks with their numbers, and its options are chosen among', async () => {
  const caller = testPerson(testCaller(), 'Maya');
  const appId = await under.importApp(caller);
  const body = {
    ...{ provider: 'custom', model: 'small-model', apiKey: `sk-${randomBytes(24).toString('hex')}` },
    baseUrl: `http://127.0.0.1:${model.port}/llm/v1`,
  };
  const connected = await under.service.call('PUT', '/v1/workspace/text-model', { caller, body });
  expect(connected.status, connected.text).toBe(200);
  const plain = await make(caller, appId, { archetype: 'authority' });
  const forms = plain.result!.hookOptions.map(formOfHook);
  const wanted = forms.find(form => form !== forms[0])!;
  await teach(caller, appId, favouring(wanted));
  const { result, writer } = await make(caller, appId, { archetype: 'authority' });
  expect(formOfHook(result!.hook)).toBe(wanted);
  expect(result!.hookOptions[0]).toBe(result!.hook);
  expect(writer).toMatchObject({ kind: 'model', because: expect.stringContaining('got about 7.4 times') });
  const requests = await fetch(`http://127.0.0.1:${model.port}/_control/llm/requests`, {
    headers: controlHeaders,
  });
  const asked = (await requests.json()) as { body: { messages: { content: string }[] } }[];
  expect(JSON.parse(asked.at(-1)!.body.messages.at(3)!.content).before).toMatchObject({
    best: [{ hook: 'Seven pebbles, one jar', views: 5200, decks: 2 }],
    worst: [{ hook: 'The habit app for you', views: 90, decks: 1 }],
  });
});
