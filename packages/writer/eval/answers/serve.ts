/**
 * Answers of a large text model, recorded once, behind the route that the product calls. A question that was
 * never answered is kept as a file, for a model to answer.
 */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** `topic`: null in a deck about the app. `turn`: 1 for the first question of a deck, then its repairs. */
export type Asked = { app: string; topic: string | null; turn: number };
export type Answer = Asked & { answer: object };

type Message = { role: string; content: string };
type Question = { messages: Message[]; response_format?: { json_schema?: { schema: object } } };

export type AnswerServer = {
  baseUrl: string;
  /** Questions that have no answer. */
  missing: Asked[];
  close(): Promise<void>;
};

/** Instructions, the example's question and its answer come first in each question. */
const exampleMessages = 3;

/**
 * Serves `POST /chat/completions` on loopback. Answers belong to a deck and a turn, not to the words of the
 * question: the prompts may have changed since.
 * @param keepIn a folder for the questions that have no answer
 */
export async function serveAnswers(answers: readonly Answer[], keepIn?: string): Promise<AnswerServer> {
  const known = new Map(answers.map(one => [nameOf(one), one.answer]));
  const missing: Asked[] = [];
  const server = createServer(async (request, response) => {
    const question = JSON.parse(await text(request)) as Question;
    const asked = readAsked(question);
    const answer = known.get(nameOf(asked));
    if (answer === undefined) {
      missing.push(asked);
      if (keepIn) keep(keepIn, question);
      // Neither a format that is not known nor a fault that passes: the deck fails at once.
      response.writeHead(404).end();
      return;
    }
    const choice = { finish_reason: 'stop', message: { role: 'assistant', content: JSON.stringify(answer) } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [choice] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    missing,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The recorded answers of a set of listings; none where nobody has recorded any. */
export function readAnswers(set: string): Answer[] {
  const file = new URL(`./${set}.json`, import.meta.url);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Answer[]) : [];
}

const nameOf = ({ app, topic, turn }: Asked): string => `${app}, ${topic ?? 'no topic'}, ${turn}`;

function readAsked({ messages }: Question): Asked {
  const own = messages.slice(exampleMessages);
  const { listing, brief } = JSON.parse(own[0]!.content) as {
    listing: { name: string };
    brief: { topic: string | null };
  };
  const turn = own.filter(({ role }) => role === 'user').length;
  return { app: listing.name, topic: brief.topic, turn };
}

function keep(folder: string, question: Question): void {
  mkdirSync(folder, { recursive: true });
  const asked = readAsked(question);
  const file = join(folder, `${nameOf(asked).replace(/[^\p{L}\p{N}]+/gu, '-')}.json`);
  const schema = question.response_format?.json_schema?.schema;
  writeFileSync(file, JSON.stringify({ ...asked, messages: question.messages, schema }, null, 2));
}
