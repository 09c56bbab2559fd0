import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { attemptDelivery, faultsMax } from '../bus/delivery.ts';
import { toApiError } from '../http/api-error.ts';
import { connectCodes } from '../kernel/connect-failure.ts';
import { CommitUnknownError, rethrowQueryError } from './commit-unknown.ts';
import { isConnectionError } from './db.ts';
import { isOwnFault } from './isolate.ts';

const ofSocket = (code: string, syscall?: string): Error =>
  Object.assign(new Error(`${syscall ?? ''} ${code}`), { code, ...(syscall && { syscall }) });
const ofServer = (code: string, severity = 'ERROR'): Error =>
  Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code, severity });

const passing: [string, Error][] = [
  ...[...connectCodes, 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].map((code): [string, Error] => [
    code,
    ofSocket(code),
  ]),
  ...['08006', '57P01', '57P03', '53300', '25P03'].map((code): [string, Error] => [code, ofServer(code)]),
  ['25006, a primary that became a standby', ofServer('25006')],
  ['a commit without an answer', new CommitUnknownError(ofSocket('ECONNRESET'))],
];

/** Attempts that a consumer whose handler throws this makes before the dead letter. */
async function attemptsOf(error: Error): Promise<number> {
  const message = { topic: 't', key: 'k', value: '{}', headers: {}, partition: 0, offset: '1' };
  const handler = () => Promise.reject(error);
  const given = { group: 'g', message, handler, publishDeadLetter: async () => {} };
  let outcome = await attemptDelivery(given);
  for (let attempts = 1; attempts <= faultsMax; attempts += 1) {
    if (outcome.settled) return attempts;
    outcome = await attemptDelivery({ ...given, progress: outcome.progress });
  }
  return Number.POSITIVE_INFINITY;
}

describe('a database that is away', () => {
  it.each(passing)('%s passes: no dead letter, nothing set aside, db_error', async (_, error) => {
    expect(isConnectionError(error)).toBe(true);
    expect(isOwnFault(error)).toBe(false);
    expect(await attemptsOf(error)).toBe(Number.POSITIVE_INFINITY);
    if (!(error instanceof CommitUnknownError)) expect(toApiError(error).code).toBe('db_error');
  });

  it.each(['22001', '23514', '42P01'])('%s of a database that answers does not', async code => {
    expect(isConnectionError(ofServer(code))).toBe(false);
    expect(await attemptsOf(ofServer(code))).toBe(faultsMax);
  });
});

describe('a write without an answer', () => {
  const write = (error: Error) => () => rethrowQueryError(error, 'insert into t values (1)');

  it.each([...connectCodes])('is certainly not done after %s while connecting', code => {
    const error = ofSocket(code, 'connect');
    expect(write(error)).toThrow(error);
  });

  it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET'])('may be done after %s of an open connection', code =>
    expect(write(ofSocket(code, 'read'))).toThrow(CommitUnknownError),
  );

  it.each(['ERROR', 'FEHLER', 'ERREUR', 'ОШИБКА'])('is not done if Postgres refuses it with %s', severity => {
    const error = ofServer('23505', severity);
    expect(write(error)).toThrow(error);
  });

  it.each(['57P01', '08006', '58030', '40003'])('may be done after %s, whatever the severity', code =>
    expect(write(ofServer(code))).toThrow(CommitUnknownError),
  );
});
