/** Requests as one key or user sends them, and the meaning of their answers. */
import { createHash } from 'node:crypto';
import type { WindowName } from '../../kit/checks/check-windows.ts';
import { type Answer, anyIp, type Question } from '../../kit/clients/http-client.ts';
import type { Customer, Key } from './customers.ts';
import type { Created } from './history.ts';

export type Step = {
  operation: string;
  question: Question;
  windows: WindowName[];
  /** Null: no answer. 'again': the same request is repeated under the same idempotency key. */
  onAnswer?(answer: Answer | null): 'again' | undefined;
  /** An alternative form of the repeat, with another key; absent: unchanged. */
  again?(): Step;
};

type Asked = Omit<Question, 'ip' | 'token'>;

export const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
export const dataOf = <T>({ text }: Answer): T => (JSON.parse(text) as { data: T }).data;
export const codeOf = ({ text }: Answer): string =>
  (JSON.parse(text) as { error?: { code: string } }).error?.code ?? '';

/** From a separate address, so that only the key's windows count. */
export function askWithKey(
  operation: string,
  key: Key,
  asked: Asked,
  onAnswer: NonNullable<Step['onAnswer']> = () => undefined,
): Step {
  const ip = anyIp();
  const windows: WindowName[] = [`ip:${ip}`, `key:${key.name}`];
  if (asked.method === 'POST' && asked.path === '/content') windows.push(`content:${key.name}`);
  return { operation, windows, question: { ...asked, ip, token: key.token }, onAnswer };
}

export function askAsUser(
  operation: string,
  { client }: Customer,
  asked: Asked,
  onAnswer: NonNullable<Step['onAnswer']>,
): Step {
  const ip = anyIp();
  const question = { ...asked, ip, token: client.session };
  return { operation, windows: [`ip:${ip}`], question, onAnswer };
}

/** False: no answer, or one that allows a repeat. */
export function isDecided(answer: Answer | null): answer is Answer {
  if (answer === null || answer.status >= 500 || answer.status === 429) return false;
  const isStillRunning = answer.status === 409 && answer.retryAfter !== null;
  return !isStillRunning;
}

/** A content; only one with slide images can be posted. */
export function contentOf({ client }: Customer, idempotencyKey: string, isPostable: boolean): Asked {
  const brief = isPostable ? { brief: { templateId: 'quote-card', slideCount: 3 } } : {};
  return {
    method: 'POST',
    path: '/content',
    headers: { 'idempotency-key': idempotencyKey },
    body: { appId: client.appId, type: 'slideshow', ...brief },
  };
}

/** @param about the request. @param answer a 201 */
export function createdLine(
  about: Pick<Created, 'account' | 'key' | 'isPostable' | 'isAfterwards'>,
  answer: Answer,
): Created {
  const digest = createHash('sha256').update(answer.text).digest('hex');
  return { kind: 'created', ...about, contentId: dataOf<{ id: string }>(answer).id, digest };
}
