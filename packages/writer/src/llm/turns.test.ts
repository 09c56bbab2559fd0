/** Decks of several owners at an endpoint that answers when the test says so. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@hookline/shared/kernel';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createLlmWriter, type LlmWriter } from './llm-writer.ts';

const log = createLogger({ service: 'content', level: 'silent', destination: { write: () => {} } });
const asked: { name: string; answer: (status?: number) => void }[] = [];
let answered = 0;
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', chunk => {
      text += chunk;
    });
    request.on('end', () => {
      const name = /Deck \w/.exec(text)?.[0] ?? '';
      asked.push({ name, answer: status => refuse(response, status) });
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

/** The shortest answer that ends a deck. */
function refuse(response: ServerResponse, status = 200): void {
  answered += 1;
  response.statusCode = status;
  response.end(JSON.stringify({ choices: [{ message: { refusal: 'no' } }] }));
}

const open = (budgetMs: number): LlmWriter =>
  createLlmWriter(
    {
      provider: 'custom',
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      model: 'm',
      apiKey: undefined,
      budgetMs,
      inFlightMax: 2,
    },
    log,
  );

const ask = (writer: LlmWriter, owner: string): Promise<{ code: string; message: string }> =>
  writer
    .write({
      seed: 's',
      owner,
      app: { name: `Deck ${owner}`, description: '', category: null, country: 'us', store: 'apple' },
      brief: {},
    })
    .then(
      () => Promise.reject(new Error('the deck was written')),
      error => error,
    );

it('has two decks in flight, and owners take turns', async () => {
  const writer = open(60_000);
  const decks = ['a', 'a', 'a', 'a', 'a', 'b'].map(owner => ask(writer, owner));
  for (let turn = 1; turn <= decks.length; turn += 1) {
    const due = Math.min(turn + 1, decks.length);
    await vi.waitFor(() => expect(asked).toHaveLength(due), 20_000);
    expect(asked.length - answered).toBeLessThanOrEqual(2);
    asked[turn - 1]!.answer();
  }
  expect((await Promise.all(decks)).map(({ code }) => code)).toEqual(decks.map(() => 'writer_refused'));
  expect(asked.findIndex(({ name }) => name === 'Deck b')).toBeLessThan(4);
  await writer.close();
});

it('refuses a deck that waited for a quarter of the budget, says why, and does not blame the endpoint', async () => {
  const writer = open(1_000);
  const before = asked.length;
  const inFlight = [ask(writer, 'a'), ask(writer, 'a')];
  await vi.waitFor(() => expect(asked).toHaveLength(before + 2), 20_000);
  const late = await Promise.all(Array.from({ length: 4 }, () => ask(writer, 'b')));
  expect(late[0]).toMatchObject({
    code: 'writer_unavailable',
    message:
      'The text model could not be asked (no turn came within 0.25 s; at most 2 decks are written at once); nothing was charged. Try again in a minute as a new deck.',
  });
  for (const { answer } of asked.slice(before)) answer();
  await Promise.all(inFlight);
  const next = ask(writer, 'b');
  await vi.waitFor(() => expect(asked).toHaveLength(before + 3), 20_000);
  asked.at(-1)!.answer();
  expect((await next).message).not.toContain('not asked now');
  await writer.close();
});

const soon = { timeout: 20_000, interval: 5 };

it('keeps asking for others after requests that the endpoint rejects in every format', async () => {
  const writer = open(60_000);
  for (let deck = 1; deck <= 4; deck += 1) {
    const first = asked.length;
    const refused = ask(writer, 'a');
    for (let format = 1; format <= 4; format += 1) {
      await vi.waitFor(() => expect(asked).toHaveLength(first + format), soon);
      asked.at(-1)!.answer(400);
    }
    expect(await refused).toMatchObject({
      code: 'writer_unavailable',
      message: expect.stringContaining('rejects the request for this slideshow (HTTP 400)'),
    });
  }
  const before = asked.length;
  const next = ask(writer, 'b');
  await vi.waitFor(() => expect(asked).toHaveLength(before + 1), soon);
  asked.at(-1)!.answer();
  expect((await next).code).toBe('writer_refused');
  await writer.close();
});
