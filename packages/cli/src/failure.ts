import { HooklineError } from '@hookline/sdk';

/** What a command ends with; scripts rely on the numbers. */
export const exitCodes = {
  ok: 0,
  /** The API refused the request. */
  refused: 1,
  usage: 2,
  /** Not reachable, or 429 and 503 after every retry. */
  unreachable: 3,
  /** No key, a refused key, a missing scope, or no terminal for something that only a person does. */
  access: 4,
  /** `--wait` ended before the work did. */
  waitedInVain: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export type ErrorBody = { code: string; message: string; requestId?: string; param?: string };

/** Ends the command. Its message is for people; `body` is what scripts get on stderr. */
export class Failure extends Error {
  override name = 'Failure';
  readonly exitCode: ExitCode;
  readonly body: ErrorBody;
  /** What to do next, a sentence or a command. */
  readonly hint: string | undefined;

  constructor(exitCode: ExitCode, body: ErrorBody, hint?: string) {
    super(body.message);
    this.exitCode = exitCode;
    this.body = body;
    this.hint = hint;
  }
}

export function usage(message: string, hint?: string): Failure {
  return new Failure(exitCodes.usage, { code: 'usage', message }, hint);
}

export function noAccess(message: string, hint?: string): Failure {
  return new Failure(exitCodes.access, { code: 'no_access', message }, hint);
}

export function interrupted(): Failure {
  return new Failure(exitCodes.interrupted, { code: 'interrupted', message: 'Interrupted.' });
}

const accessCodes = ['unauthorized', 'key_revoked', 'key_expired', 'missing_scope'];

/** The API understood the request, and said no to it: other requests may succeed. */
export function isRefusal(error: unknown): boolean {
  return error instanceof HooklineError && error.status !== null && error.status >= 400 && error.status < 500;
}

const notAnswered = ['connection_failed', 'timed_out', 'no_envelope'];

/** What a command ends with after this error. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof HooklineError)) {
    return new Failure(exitCodes.refused, { code: 'internal_error', message: (error as Error).message });
  }
  const { code, status, message, requestId, param } = error;
  const body = { code, message, ...(requestId !== null && { requestId }), ...(param !== null && { param }) };
  if (notAnswered.includes(code)) return new Failure(exitCodes.unreachable, body, hintFor(error));
  if (code === 'wait_ran_out') return new Failure(exitCodes.waitedInVain, body);
  if (status === 401 || accessCodes.includes(code)) {
    const hint =
      code === 'second_factor_required'
        ? 'hookline login --with-key; to approve, hookline open approve'
        : 'hookline login';
    return new Failure(exitCodes.access, body, status === 401 ? hint : undefined);
  }
  const isTransient = status === 429 || status === 503;
  return new Failure(isTransient ? exitCodes.unreachable : exitCodes.refused, body);
}

function hintFor({ code, message }: HooklineError): string {
  const isLocal = /https?:\/\/(localhost|127\.|\[::1\])/.test(message);
  return isLocal && code === 'connection_failed' ? 'Is "npm start" running?' : 'hookline doctor';
}
