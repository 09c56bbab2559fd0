import type { ErrorCode } from './generated/types.ts';

/**
 * Codes of this library, for calls that got no answer of the API: `connection_failed` (no or half an answer),
 * `timed_out` (none within `timeoutMs`), `no_envelope` (something else answered), `wait_ran_out` (`waitFor`).
 */
export type LocalErrorCode = 'connection_failed' | 'timed_out' | 'no_envelope' | 'wait_ran_out';

export type HooklineErrorFacts = {
  code: ErrorCode | LocalErrorCode | (string & {});
  status?: number | null;
  requestId?: string | null;
  param?: string | null;
  retryAfterSeconds?: number | null;
  cause?: unknown;
};

/**
 * A call that failed, after its retries. The message is the API's: it names the field
 * and says what is accepted.
 */
export class HooklineError extends Error {
  override name = 'HooklineError';
  readonly code: ErrorCode | LocalErrorCode | (string & {});
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Quote it when you ask for help. */
  readonly requestId: string | null;
  /** The path of the field that the API refused, such as `brief.slideCount`. */
  readonly param: string | null;
  /** Seconds after which the same request is accepted, where the API named them. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, facts: HooklineErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? null;
    this.requestId = facts.requestId ?? null;
    this.param = facts.param ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}
