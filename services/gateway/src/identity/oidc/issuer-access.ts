import { ApiError } from '@hookline/shared/contracts';
import { readAtMost } from '@hookline/shared/http';
import type { Logger } from '@hookline/shared/kernel';
import { hourMs } from '@hookline/shared/kernel/durations';

export const fetchTimeoutMs = 3_000;
export const clockToleranceSeconds = 5;
const answerBytesMax = 512 * 1024;
const discoveryFreshMs = hourMs;
/** The issuer is not called for this long after a failure; requests that need it get 503. */
const failurePauseMs = 1_000;

export class IssuerUnavailable extends Error {
  override name = 'IssuerUnavailable';
}

export function issuerAway(cause: unknown): ApiError {
  return new ApiError('service_unavailable', 'The sign-in issuer cannot be reached; try again.', {
    retryAfterSeconds: 1,
    cause,
  });
}

export function createIssuerGuard(issuer: string, log: Logger): <T>(ask: () => Promise<T>) => Promise<T> {
  let failedAtMs = Number.NEGATIVE_INFINITY;
  return async ask => {
    if (performance.now() - failedAtMs < failurePauseMs) throw new IssuerUnavailable('it just failed');
    try {
      return await ask();
    } catch (error) {
      failedAtMs = performance.now();
      log.warn({ issuer, reason: (error as Error).message }, 'the OIDC issuer could not be reached');
      throw new IssuerUnavailable((error as Error).message);
    }
  };
}

/**
 * Keeps what discovery found for an hour. Concurrent callers share one discovery; while it fails,
 * what was found last is used.
 */
export function keepDiscovered<T>(discover: (last: T | null) => Promise<T>): () => Promise<T> {
  let found: { value: T; atMs: number } | null = null;
  let finding: Promise<T> | null = null;

  async function find(): Promise<T> {
    const value = await discover(found?.value ?? null);
    found = { value, atMs: performance.now() };
    return value;
  }

  return async () => {
    if (found && performance.now() - found.atMs < discoveryFreshMs) return found.value;
    finding ??= find().finally(() => {
      finding = null;
    });
    const last = found;
    return last ? await finding.catch(() => last.value) : await finding;
  };
}

export async function readBounded(response: Response, url: string): Promise<Buffer<ArrayBuffer>> {
  const tooLong = () => new Error(`${url} answered more than ${answerBytesMax} bytes`);
  return await readAtMost(response.body ?? [], answerBytesMax, tooLong);
}
