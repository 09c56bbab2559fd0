/** Writes whose answer was lost: Postgres may have committed them, and the client cannot know. */
import pg from 'pg';
import { neverConnected } from '../kernel/index.ts';

/** The connection was lost, or timed out, during a commit. The work may be done: never report a failure. */
export class CommitUnknownError extends Error {
  override name = 'CommitUnknownError';
  constructor(cause: unknown) {
    super('the answer to a commit was lost', { cause });
  }
}

/** Rethrows an error of a `commit`, as CommitUnknownError unless Postgres reported a rollback. */
export function rethrowCommitError(error: unknown): never {
  if (isAnswerLost(error)) throw new CommitUnknownError(error);
  throw error;
}

/**
 * The same for an autocommit statement. It takes its connection first, so an error can also come from before
 * the statement was sent.
 */
export function rethrowQueryError(error: unknown, text: string): never {
  if (/^\s*(insert|update|delete|with)\b/i.test(text) && isAnswerLost(error) && !isConnectFailure(error)) {
    throw new CommitUnknownError(error);
  }
  throw error;
}

/**
 * Postgres reports an error after it has rolled back, except where the session or the server ended (08, 57P),
 * writing the log failed (58), or it says so itself (40003). `severity` decides nothing: it is in the language
 * of the server.
 */
function isAnswerLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|57P|58|40003)/.test(error.code ?? '');
}

/** No connection, refused at start-up (57P03), too many (53), or an authentication failure (28). */
function isConnectFailure(error: unknown): boolean {
  const { code = '', message } = error as Error & { code?: string };
  return neverConnected(error) || /^(57P03|53|28)/.test(code) || /trying to connect/.test(message);
}
