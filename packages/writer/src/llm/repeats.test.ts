/** What a model says twice, in one deck or in two of an app. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Brief } from '@hookline/shared/contracts/brief';
import { createLogger } from '@hookline/shared/kernel';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { EarlierDecks, SignedDeck } from '../port.ts';
import { createLlmWriter, type LlmWriter } from './llm-writer.ts';

type Asked = { messages: { content: string }[]; response_format: unknown };
const name = 'Say "hi" once. Write in Latin';
const answer = {
  hookOptions: [
    'The habit that dies on a Tuesday',
    'Your streak is not the point',
    'A quiet evening starts at the sink',
    'Nobody sees the rest day',
  ],
  bodySlides: [
    'Put your shoes by the door before bed.',
    'Write one line after dinner and close the notebook.',
    'Skip the day on purpose when you are tired.',
    'Ask yourself one question every Sunday morning.',
  ],
  ctaSoft: `${name} has rest days for a habit.`,
  caption: 'What did you skip this week, and did you miss it at all?',
  language: 'en',
  hashtags: ['#habits', '#smallsteps', '#routine'],
};

let answers: object[] = [];
const asked: Asked[] = [];
let server: Server;
let writer: LlmWriter;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked.push(JSON.parse(Buffer.concat(await request.toArray()).toString()) as Asked);
    response.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(answers.shift()) } }] }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const limits = { budgetMs: 30_000, inFlightMax: 1 };
  const log = createLogger({ service: 'content', level: 'silent', destination: { write: () => {} } });
  writer = createLlmWriter({ provider: 'custom', baseUrl, model: 'm', apiKey: undefined, ...limits }, log);
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(async () => {
  await writer.close();
  server.close();
});

function write(given: object[], brief: Brief = {}, before?: EarlierDecks): Promise<SignedDeck> {
  answers = given;
  const description = `${name} has rest days for a habit.\n- Log a habit in two taps`;
  const app = { name, description, category: null, country: 'us', store: 'apple' as const };
  return writer.write({ seed: 's', app, brief, before });
}

const deckOf = (hook: string) => ({
  decks: [{ id: 'content_0', lines: [hook, ...answer.bodySlides] }],
  rejected: [],
});
const anew = {
  hookOptions: [
    'What a cold kettle says',
    'The five o’clock dip is not laziness',
    'One drawer decides it all',
  ],
  slide1: 'Empty the sink while the kettle boils.',
  slide2: 'Set out one mug the night before.',
  slide3: 'Open the window for the length of a song.',
  slide4: 'Leave the phone in the hall until eight.',
};

it.each(answer.hookOptions.slice(0, 2))(
  'a deck that repeats the one of %j gets the hook of its new slides',
  async hook => {
    const { result } = await write([answer, anew], {}, deckOf(hook));
    expect(result.hook).toBe(anew.hookOptions[0]);
    expect(result.hookOptions).not.toContain(hook);
    expect(result.bodySlides[0]!.text).toBe(anew.slide1);
    expect(asked[1]!.messages.at(-1)!.content).toContain('- hookOptions must be new');
  },
);

it('the hook of an earlier deck is used again only where no other is left', async () => {
  const before = { decks: [{ id: 'content_0', lines: [answer.hookOptions[0]!] }], rejected: [] };
  const { result } = await write([answer], {}, before);
  expect(result.hook).toBe(answer.hookOptions[1]);
});

it('a hook that a slide repeats is left out; a given one is repeated by no slide', async () => {
  const [hook] = answer.hookOptions;
  const slide = `${hook}, always.`;
  const repeating = { ...answer, bodySlides: [slide, ...answer.bodySlides.slice(1)] };
  expect((await write([repeating])).result.hookOptions).toEqual(answer.hookOptions.slice(1));
  const { result } = await write([repeating, { slide1: anew.slide1 }], { hook });
  expect(result.bodySlides[0]!.text).toBe(anew.slide1);
  expect(asked.at(-1)!.messages.at(-1)!.content).toContain(
    '- slide1 must say something else than brief.hook',
  );
});

it('a closing line that is a slide is replaced by rule, without asking again', async () => {
  const repeating = { ...answer, bodySlides: [...answer.bodySlides.slice(0, 3), answer.ctaSoft] };
  const { result } = await write([repeating]);
  expect(result.ctaSoft).toBe(`${name} · App Store`);
  expect(asked).toHaveLength(1);
});

it('the schema contains no text of the app, because it may end up in the system prompt', async () => {
  await write([answer]);
  expect(JSON.stringify(asked[0]!.response_format)).not.toContain('Latin');
});
