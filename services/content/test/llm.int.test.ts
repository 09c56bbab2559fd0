/**
 * The content service with a text model: ready, failed without a charge, the fallback, and secrets that never
 * leak.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Content } from '@hookline/shared/contracts/content';
import { automationFired } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { hourMs } from '@hookline/shared/kernel/durations';
import { startSimulators } from '@hookline/simulators/simulators';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { controlHeaders, controlToken } from '@hookline/testing/simulator-controls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ContentUnderTest, dataOf, startContent } from './world.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'hookline-llm-'));
const apiKey = `sk-${randomBytes(24).toString('hex')}`;
const model = perSuite(() => startSimulators({ port: 0, controlToken, dataDir }));
let environment: Record<string, string>;

beforeAll(async () => {
  environment = {
    LLM_BASE_URL: `http://127.0.0.1:${model.port}/llm/v1`,
    LLM_MODEL: 'small-model',
    LLM_API_KEY: apiKey,
  };
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true, force: true });
});

/** Makes the model fail from now on; null repairs it. */
async function spoil(kind: string | null): Promise<void> {
  const faults = kind ? [{ platform: 'llm', operation: 'chat_completions', kind, share: 1 }] : [];
  const url = `http://127.0.0.1:${model.port}/_control/faults`;
  expect(
    (await fetch(url, { method: 'PUT', headers: controlHeaders, body: JSON.stringify(faults) })).ok,
  ).toBe(true);
}
afterEach(() => spoil(null));

describe('POST /v1/content with a text model', () => {
  let under: ContentUnderTest;
  /** How far the service's clock is ahead of the database's. */
  let aheadMs = 0;
  beforeAll(async () => {
    under = await startContent({ env: environment, now: () => new Date(Date.now() + aheadMs) });
  });
  afterEach(() => {
    aheadMs = 0;
  });
  afterAll(() => under.stop());

  const balanceOf = async (caller: ReturnType<typeof testCaller>) =>
    dataOf<{ balance: number }>(await under.service.call('GET', '/v1/credits', { caller })).balance;

  it('201 ready with the model’s texts, drawn, charged once', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    // A sentence that only the simulated model writes.
    expect(deck.result!.bodySlides[0]!.text).toBe(
      'Pick one drawer tonight. Empty it, wipe it, and return only half.',
    );
    expect(deck.images).toHaveLength(6);
    expect(deck.writer).toEqual({ kind: 'model', name: 'small-model', repaired: false, because: null });
    expect(await balanceOf(caller)).toBe(24);
  });

  it.each([
    ['internal_error', 'writer_unavailable'],
    ['invalid_api_key', 'writer_unavailable'],
    ['refusal', 'writer_refused'],
    ['wrong_count', 'writer_unusable'],
    ['malformed_json', 'writer_unusable'],
  ])(
    "201 failed with the reason for %s: nothing charged, the model's key not revealed",
    async (kind, code) => {
      const caller = testCaller();
      const appId = await under.importApp(caller);
      await spoil(kind);
      const key = newId('req');
      const answer = await under.create(caller, { appId, type: 'slideshow' }, key);
      const content = dataOf<Content>(answer);
      expect([answer.status, content.status, content.costCharged, content.result]).toEqual([
        201,
        'failed',
        0,
        null,
      ]);
      expect(content.writer).toBeNull();
      expect(content.error?.code).toBe(code);
      expect(answer.text).not.toContain(apiKey.slice(0, 10));
      expect(await balanceOf(caller)).toBe(25);
      const [held] = await under.service.db.query<{ count: string }>(
        'select count(*) from credit_reservations where content_id = $1',
        [content.id],
      );
      expect(Number(held?.count)).toBe(0);
      const job = await under.service.call('GET', `/v1/jobs/${content.id}`, { caller });
      expect(dataOf(job)).toMatchObject({ status: 'failed', cost: 0, error: { code } });
      await spoil(null);
      const replayed = await under.create(caller, { appId, type: 'slideshow' }, key);
      expect(replayed.text).toBe(answer.text);
      const again = await under.create(caller, { appId, type: 'slideshow' });
      expect(dataOf<Content>(again).status).toBe('ready');
    },
  );

  it('201 for decks that take 11 s: no connection is held meanwhile, and a repeat gets the same answer', async () => {
    const slow = await startContent({ env: { ...environment, DATABASE_POOL_MAX: '2' } });
    const caller = testCaller();
    const appId = await slow.importApp(caller);
    const faults = [
      { platform: 'llm', operation: 'chat_completions', kind: 'slow', share: 1, delayMs: 11_000 },
    ];
    const url = `http://127.0.0.1:${model.port}/_control/faults`;
    await fetch(url, { method: 'PUT', headers: controlHeaders, body: JSON.stringify(faults) });
    const keys = ['one', 'two', 'three', 'four', 'one'];
    const creating = Promise.all(keys.map(key => slow.create(caller, { appId, type: 'slideshow' }, key)));
    await setTimeout(1_000);
    const startedMs = performance.now();
    expect((await slow.service.call('GET', '/v1/credits', { caller })).status).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    const answers = await creating;
    expect(answers.map(answer => [answer.status, dataOf<Content>(answer).status])).toEqual(
      keys.map(() => [201, 'ready']),
    );
    expect(answers[4]!.text).toBe(answers[0]!.text);
    await slow.stop();
  });

  it('201 failed for texts that no font here can draw, naming the slide', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    await spoil('rare_script');
    const answer = await under.create(caller, {
      appId,
      type: 'slideshow',
      brief: { templateId: 'quote-card' },
    });
    expect(dataOf<Content>(answer).error).toEqual({
      code: 'text_not_drawable',
      message: expect.stringMatching(
        /slide 1 has characters that no font here can write: .+; nothing was charged/,
      ),
    });
    expect(await balanceOf(caller)).toBe(25);
  });

  describe('for an automation', () => {
    const fire = async (
      caller: ReturnType<typeof testCaller>,
      brief: { templateId: 'quote-card' } | null = null,
    ): Promise<void> => {
      const appId = await under.importApp(caller);
      const [automationId, firingId] = [newId('automation'), newId('firing')];
      const slot = new Date().toISOString();
      await under.service.publish(automationFired, {
        subject: automationId,
        accountId: caller.accountId,
        data: { automationId, firingId, appId, brief, approvalMode: 'auto', slot },
      });
    };
    const contentOf = (caller: ReturnType<typeof testCaller>, status: string): Promise<Content> =>
      eventually(async () => {
        const [row] = dataOf<Content[]>(await under.service.call('GET', '/v1/content', { caller }));
        expect(row?.status).toBe(status);
        return row as Content;
      }, 15_000);
    /** Waits until a try has ended and the next one is to come. */
    const waitingDeck = (caller: ReturnType<typeof testCaller>): Promise<string> =>
      eventually(async () => {
        const [row] = await under.service.db.query<{ id: string }>(
          `select id from contents where account_id = $1 and status = 'queued' and waits > 0 and attempts = 0`,
          [caller.accountId],
        );
        expect(row).toBeDefined();
        return (row as { id: string }).id;
      }, 15_000);
    const typesOf = (id: string) =>
      under.service.published.filter(entry => entry.key === id).map(entry => entry.headers.ce_type);
    const reservedOf = (caller: ReturnType<typeof testCaller>) =>
      under.service.db.query('select reserved from credit_accounts where account_id = $1', [
        caller.accountId,
      ]);

    it("a refusal of the model fails an automation's content with the reason at once, and publishes it", async () => {
      const caller = testCaller();
      await spoil('refusal');
      await fire(caller);
      const content = await contentOf(caller, 'failed');
      expect(content).toMatchObject({ error: { code: 'writer_refused' }, approvalStatus: 'pending' });
      await eventually(() => expect(typesOf(content.id)).toEqual(['job.completed']));
      expect(await balanceOf(caller)).toBe(25);
    });

    it("an automation's content waits for a model that is away and ends ready, charged once", async () => {
      const caller = testCaller();
      await spoil('down');
      await fire(caller);
      const id = await waitingDeck(caller);
      expect(await reservedOf(caller)).toEqual([{ reserved: 1 }]);
      expect(typesOf(id)).toEqual([]);
      await spoil(null);
      expect(await contentOf(caller, 'ready')).toMatchObject({ id, costCharged: 1 });
      await eventually(() => expect(typesOf(id).sort()).toEqual(['content.approved', 'job.completed']));
      expect(await balanceOf(caller)).toBe(24);
      expect(await reservedOf(caller)).toEqual([{ reserved: 0 }]);
    });

    it('a deck that waits to be drawn keeps its texts: the model is asked once', async () => {
      const caller = testCaller();
      const asked = async (): Promise<unknown[]> => {
        const url = `http://127.0.0.1:${model.port}/_control/llm/requests`;
        return (await (await fetch(url, { headers: controlHeaders })).json()) as unknown[];
      };
      const before = (await asked()).length;
      const folder = join(under.dataDir, 'images');
      rmSync(folder, { recursive: true, force: true });
      writeFileSync(folder, '');
      await fire(caller, { templateId: 'quote-card' });
      const id = await waitingDeck(caller);
      rmSync(folder);
      const content = await contentOf(caller, 'ready');
      expect([content.id, content.images.length, content.costCharged]).toEqual([id, 6, 1]);
      expect((await asked()).length - before).toBe(1);
    });

    it("a model away for more than two hours fails an automation's content with the reason", async () => {
      const caller = testCaller();
      await spoil('down');
      await fire(caller);
      const id = await waitingDeck(caller);
      aheadMs = 2 * hourMs;
      const content = await contentOf(caller, 'failed');
      expect(content).toMatchObject({ id, error: { code: 'writer_unavailable' }, approvalStatus: 'pending' });
      await eventually(() => expect(typesOf(id)).toEqual(['job.completed']));
      expect(await balanceOf(caller)).toBe(25);
      expect(await reservedOf(caller)).toEqual([{ reserved: 0 }]);
    });
  });
});

describe('LLM_ON_FAILURE=builtin', () => {
  it('LLM_ON_FAILURE=builtin uses the composer when the model is unavailable, but not after a refusal', async () => {
    const under = await startContent({ env: { ...environment, LLM_ON_FAILURE: 'builtin' } });
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const create = async (kind: string) => {
      await spoil(kind);
      return dataOf<Content>(await under.create(caller, { appId, type: 'slideshow' }));
    };
    const written = await create('down');
    expect([written.status, written.costCharged]).toEqual(['ready', 1]);
    expect(written.writer).toEqual({ kind: 'builtin', name: 'composer', repaired: false, because: null });
    expect((await create('wrong_count')).writer?.kind).toBe('builtin');
    expect((await create('refusal')).error?.code).toBe('writer_refused');
    await under.service.db.query(
      `insert into text_models (account_id, provider, model, base_url, key_sealed, updated_at)
       values ($1, 'custom', 'own-model', $2, 'gone:x', now())`,
      [caller.accountId, environment.LLM_BASE_URL],
    );
    expect((await create('refusal')).writer?.kind).toBe('builtin');
    await under.stop();
  });
});

describe('settings of the text model', () => {
  it.each([
    [
      { LLM_MODEL: undefined },
      'LLM_MODEL must be set: texts come from a model when WRITER=model or one of LLM_* is set.',
    ],
    [
      { WRITER: 'model', LLM_BASE_URL: undefined, LLM_MODEL: undefined, LLM_API_KEY: undefined },
      'LLM_BASE_URL, LLM_MODEL must be set: texts come from a model when WRITER=model or one of LLM_* is set.',
    ],
  ])('refuses to start with %j', async (change, sentence) => {
    await expect(startContent({ env: { ...environment, ...change } })).rejects.toThrow(sentence);
  });

  const writerOf = async (change: Record<string, string | undefined>) => {
    const under = await startContent({ env: { ...environment, ...change } });
    const caller = testCaller();
    const body = { appId: await under.importApp(caller), type: 'slideshow' };
    const { writer } = dataOf<Content>(await under.create(caller, body));
    await under.stop();
    return writer?.name;
  };

  it('WRITER=builtin leaves a configured model alone', async () => {
    expect(await writerOf({ WRITER: 'builtin' })).toBe('composer');
  });

  it('the service starts without LLM_API_KEY: many local endpoints need none', async () => {
    expect(await writerOf({ LLM_API_KEY: undefined })).toBe('small-model');
  });
});
