/**
 * One question to an OpenAI-compatible endpoint, with retries within a time budget. The answer is not judged
 * here.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { askPlatform, createPlatformAgent, type PlatformAnswer } from '@hookline/shared/http';
import { z } from 'zod';
import { withoutLengths } from './answer.ts';
import { createRetryBudget } from './breaker.ts';
import { type ChatMessage, withSchema } from './prompt.ts';
import { type Endpoint, providers } from './providers.rules.ts';

export type ChatSettings = Endpoint & {
  maxTokens?: number | undefined;
  /** Fields that each request has beside ours, such as a reasoning effort. */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Dials the endpoint; absent: whatever the address names. */
  connect?: Parameters<typeof createPlatformAgent>[1];
};

/**
 * `cut`: the answer ran out of tokens. `refused`: the model or the endpoint's filter declines to write this.
 */
export type ChatAnswer =
  | { kind: 'text' | 'cut'; content: string; tokens: Tokens }
  | { kind: 'refused'; tokens: Tokens };

/** As the endpoint counts them; 0 where it does not. */
export type Tokens = { input: number; output: number };

/** Ways to request the shape of the answer, each a step down for endpoints that reject the previous one. */
type Format = 'json_schema' | 'json_schema_without_lengths' | 'json_object' | 'text';
const formats: readonly Format[] = ['json_schema', 'json_schema_without_lengths', 'json_object', 'text'];

/**
 * No answer: unreachable, too slow, refused or failing. The message names the kind of fault, never a secret.
 */
export class ChatUnavailableError extends Error {
  override name = 'ChatUnavailableError';
}

/** The refusal of an endpoint: its status, 0 without an answer, and its own words. */
export type Refusal = { status: number; words: string };

/**
 * The endpoint rejects this request in every format: its text is too long or not allowed. Another request may
 * be answered.
 */
export class ChatRejectedError extends Error {
  override name = 'ChatRejectedError';
}

export type ChatQuestion = {
  messages: ChatMessage[];
  schema: Record<string, unknown>;
  /** Deadline for the answer, as a `performance.now()` time. */
  deadlineMs: number;
};

export type ChatClient = {
  /** @throws ChatUnavailableError, ChatRejectedError */
  ask(question: ChatQuestion): Promise<ChatAnswer>;
  /**
   * The last answer did not follow its schema: for 15 minutes the schema is in the
   * words of the questions too.
   */
  spellSchemaOut(): void;
  /** Asks for one short sentence, once. */
  try(timeoutMs: number): Promise<{ sentence: string } | Refusal>;
  close(): Promise<void>;
};

const attemptsMax = 3;
const firstPauseMs = 250;
// With less time left than this, a retry is not worth its tokens.
const attemptMinMs = 500;

/** Reasoning models of some providers answer parts, of which only those of text are the answer. */
const Text = z
  .array(z.object({ type: z.string(), text: z.string().nullish() }))
  .transform(parts => parts.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join(''));

const Reply = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().or(Text).nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z
    .object({ prompt_tokens: z.number().catch(0), completion_tokens: z.number().catch(0) })
    .nullish()
    .catch(null),
});

export function createChatClient(settings: ChatSettings): ChatClient {
  const agent = createPlatformAgent(32, settings.connect);
  const retries = createRetryBudget();
  const { tokensField, ignoresSchema = false, maxTokens } = providers[settings.provider];
  const knownFormat = createExpiring<Format>(ignoresSchema ? 'text' : 'json_schema');
  const isSpelledOut = createExpiring(false);
  const bound = settings.maxTokens ?? maxTokens;
  const always = { ...(bound === undefined ? {} : { [tokensField]: bound }), ...settings.extraBody };

  async function send(asked: Record<string, unknown>, timeoutMs: number): Promise<PlatformAnswer> {
    return await askPlatform(agent, {
      method: 'POST',
      url: `${settings.baseUrl}/chat/completions`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(settings.apiKey === undefined ? {} : { authorization: `Bearer ${settings.apiKey}` }),
      },
      body: JSON.stringify({ model: settings.model, ...always, ...asked }),
      timeoutMs: Math.max(1, Math.ceil(timeoutMs)),
    });
  }

  return {
    async ask(question) {
      let format = knownFormat.at(performance.now());
      retries.asked();
      for (let attempt = 1; ; ) {
        const nowMs = performance.now();
        const asked = fieldsOf(question, format, isSpelledOut.at(nowMs));
        const answer = await send(asked, question.deadlineMs - nowMs);
        const read = readReply(answer);
        if ('tokens' in read) {
          knownFormat.set(format, performance.now());
          return read;
        }
        const next = formats[formats.indexOf(format) + 1];
        if (read.kind === 'format' && next !== undefined) {
          // A step down does not count as a retry: the endpoint has not done any work yet.
          format = next;
          continue;
        }
        const isRepeated = await mayRetry(read, attempt, question.deadlineMs, retries.mayRetry);
        if (!isRepeated) {
          throw read.kind === 'format'
            ? new ChatRejectedError(read.reason)
            : new ChatUnavailableError(read.reason);
        }
        attempt += 1;
      }
    },
    spellSchemaOut() {
      isSpelledOut.set(true, performance.now());
    },
    async try(timeoutMs) {
      const content = 'Write one short sentence about morning light. Answer with the sentence alone.';
      const answer = await send({ messages: [{ role: 'user', content }] }, timeoutMs);
      const read = readReply(answer);
      if ('content' in read && read.content !== '') return { sentence: read.content };
      if (answer.kind !== 'answered') return { status: 0, words: withoutAnswer(answer.reason, timeoutMs) };
      const empty = 'content' in read ? 'an empty answer' : 'the model declines to write';
      const reason = 'reason' in read ? read.reason : empty;
      return { status: answer.status, words: wordsOf(answer.text) ?? reason };
    },
    close: () => agent.close(),
  };
}

// One bad answer must not decide for the life of the process. Learning again costs up to
// three rejected questions.
const learnedMs = 15 * 60_000;

/**
 * A value that returns to the initial one 15 minutes after it changed; setting it again does not extend them.
 */
export function createExpiring<T>(initial: T): { at(nowMs: number): T; set(value: T, nowMs: number): void } {
  let changed = initial;
  let untilMs = 0;
  const at = (nowMs: number): T => (nowMs < untilMs ? changed : initial);
  return {
    at,
    set(value, nowMs) {
      if (value === at(nowMs)) return;
      changed = value;
      untilMs = nowMs + learnedMs;
    },
  };
}

function fieldsOf(
  { messages, schema }: ChatQuestion,
  format: Format,
  isSpelledOut: boolean,
): Record<string, unknown> {
  const isSchema = format === 'json_schema' || format === 'json_schema_without_lengths';
  // An endpoint that takes the schema needs no second copy, which a small model would repeat.
  const said = isSchema && !isSpelledOut ? messages : withSchema(messages, withoutLengths(schema));
  if (format === 'text') return { messages: said };
  if (format === 'json_object') return { messages: said, response_format: { type: format } };
  const given = format === 'json_schema' ? schema : withoutLengths(schema);
  const json_schema = { name: 'slideshow', strict: true, schema: given };
  return { messages: said, response_format: { type: 'json_schema', json_schema } };
}

/**
 * `format`: 400 or 422, which an endpoint returns for a format it does not know and for a text it does not
 * take. `retry`: another attempt may succeed.
 */
type Fault = { kind: 'format' | 'retry' | 'final'; reason: string; retryAfterMs: number };

/** What no repeat mends. Gemini answers 400 to a key that it does not know, OpenAI 429 without credit. */
const lastingFaults = [
  { status: 401, says: /^/, means: 'the API key is refused' },
  { status: 400, says: /"API key (?:not valid|expired)/, means: 'the API key is refused' },
  { status: 402, says: /^/, means: 'the credit there is used up' },
  { status: 429, says: /"insufficient_quota"/, means: 'the credit there is used up' },
  { status: 404, says: /^/, means: 'the model is not known there' },
];

/** Filters of Azure and OpenRouter that take the text for what nobody may write. */
const flagged = /"(?:content_filter|content_policy_violation|flagged_input)"/;
const noTokens: Tokens = { input: 0, output: 0 };

function readReply(answer: PlatformAnswer): ChatAnswer | Fault {
  if (answer.kind !== 'answered') {
    // A body over the limit would be just as long the next time.
    const isFinal = answer.reason === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
    return { kind: isFinal ? 'final' : 'retry', reason: answer.reason, retryAfterMs: 0 };
  }
  const { status, headers, text } = answer;
  if (status === 200) return readChoice(text);
  if ((status === 400 || status === 403) && flagged.test(text)) return { kind: 'refused', tokens: noTokens };
  const lasting = lastingFaults.find(fault => fault.status === status && fault.says.test(text));
  const reason = `HTTP ${status}${lasting ? `: ${lasting.means}` : ''}`;
  if (lasting) return { kind: 'final', reason, retryAfterMs: 0 };
  if (status === 400 || status === 422) return { kind: 'format', reason, retryAfterMs: 0 };
  const isPassing = status === 408 || status === 409 || status === 429 || status >= 500;
  return { kind: isPassing ? 'retry' : 'final', reason, retryAfterMs: retryAfterOf(headers['retry-after']) };
}

/**
 * The message of an error, wherever endpoints put it: OpenAI's `error.message`, the same in a list (Gemini),
 * `message` or `detail` (Mistral).
 */
function wordsOf(text: string): string | null {
  const body = [parse(text)].flat()[0];
  const { error, message, detail } = fieldsIn(body);
  const said = fieldsIn(error).message ?? message ?? detail ?? error;
  if (said === undefined || said === null) return null;
  return typeof said === 'string' ? said : JSON.stringify(said);
}

function withoutAnswer(reason: string, timeoutMs: number): string {
  if (reason === 'AddressRefusedError') return 'the address is not public';
  if (reason === 'TimeoutError') return `no answer within ${Math.ceil(timeoutMs / 1_000)} s`;
  return `the connection failed (${reason})`;
}

const fieldsIn = (value: unknown): Record<string, unknown> => (value ?? {}) as Record<string, unknown>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readChoice(text: string): ChatAnswer | Fault {
  const body = parse(text);
  if (body === undefined) return { kind: 'retry', reason: 'an answer that is not JSON', retryAfterMs: 0 };
  const reply = Reply.safeParse(body);
  const choice = reply.data?.choices[0];
  const usage = reply.data?.usage;
  const tokens = { input: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 };
  if (!choice) return { kind: 'retry', reason: 'an answer without a choice', retryAfterMs: 0 };
  const reason = choice.finish_reason ?? '';
  if (choice.message.refusal || filtered.test(reason)) return { kind: 'refused', tokens };
  if (reason === 'error') return { kind: 'retry', reason: 'the model behind it failed', retryAfterMs: 0 };
  // An empty answer is one, too: a caller's topic can force it.
  return { kind: reason === 'length' ? 'cut' : 'text', content: choice.message.content ?? '', tokens };
}

/** The reasons of OpenAI and of Gemini, which may keep its own words. */
const filtered = /content_?filter|safety|recitation|blocklist|prohibited|spii/i;

function retryAfterOf(header: string | string[] | undefined): number {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return 0;
  const ms = /^\d{1,6}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/**
 * Waits before another attempt: doubling with jitter, or as long as the endpoint asks. @returns false past
 * the deadline
 */
async function mayRetry(
  fault: Fault,
  attempt: number,
  deadlineMs: number,
  isAffordable: () => boolean,
): Promise<boolean> {
  if (fault.kind !== 'retry' || attempt >= attemptsMax) return false;
  const backOffMs = firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  const waitMs = Math.max(backOffMs, fault.retryAfterMs);
  if (performance.now() + waitMs + attemptMinMs > deadlineMs || !isAffordable()) return false;
  await pause(waitMs);
  return true;
}
