import { describe, expect, it } from 'vitest';
import { awaitServer } from './await-server.ts';

const failure = (code: string, message = code): Error => Object.assign(new Error(message), { code });
const patient = { waitMs: 60_000 };

/** Fails with each of the errors in turn, then connects. */
function server(...errors: Error[]) {
  const attempts = { count: 0 };
  return {
    attempts,
    connect: async (): Promise<string> => {
      attempts.count += 1;
      const error = errors.shift();
      if (error) throw error;
      return 'connected';
    },
  };
}

describe('waiting for Postgres', () => {
  it('repeats a refused connection and a server that starts, and reports the first reason once', async () => {
    const reasons: string[] = [];
    const starting = server(failure('ECONNREFUSED'), failure('57P03', 'the database system is starting up'));
    const onWait = (reason: string) => reasons.push(reason);
    expect(await awaitServer(starting.connect, { ...patient, onWait })).toBe('connected');
    expect(starting.attempts.count).toBe(3);
    expect(reasons).toEqual(['the connection is refused']);
  });

  it.each(['28P01', '3D000', 'ENOTFOUND', 'ETIMEDOUT', '42501'])('throws %s at once', async code => {
    const refusing = server(failure(code));
    await expect(awaitServer(refusing.connect, patient)).rejects.toThrow(code);
    expect(refusing.attempts.count).toBe(1);
  });

  it('ends with the error of the last attempt when the time has passed', async () => {
    const away = server(failure('ECONNREFUSED'));
    await expect(awaitServer(away.connect, { waitMs: 0 })).rejects.toThrow('ECONNREFUSED');
    expect(away.attempts.count).toBe(1);
  });
});
