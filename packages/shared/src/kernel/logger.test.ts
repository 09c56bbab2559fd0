import { spawnSync } from 'node:child_process';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runInContext } from './context.ts';
import { createLogger } from './logger.ts';

function openLog(level = 'info') {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: createLogger({ service: 'content', level, destination }), lines };
}

describe('logger', () => {
  it.each([
    'authorization',
    'key',
    'apiKey',
    'secret',
    'token',
    'accessToken',
    'refreshToken',
    'password',
    'cookie',
    'access_token',
    'refresh_token',
    'client_secret',
  ])('writes no %s, at the top or one level down', field => {
    const { log, lines } = openLog();
    log.info({ [field]: 'hidden-1', account: { [field]: 'hidden-2', id: 'account_1' } }, 'a line');
    expect(lines.join()).not.toContain('hidden');
    expect(lines.join()).toContain('[redacted]');
    expect(lines.join()).toContain('account_1');
  });

  it('writes no secret header of a request', () => {
    const { log, lines } = openLog();
    const headers = {
      authorization: 'Bearer hidden',
      cookie: 'hidden',
      'x-hookline-caller': 'hidden.hidden',
    };
    log.info({ headers }, 'a request');
    log.info({ request: { headers } }, 'a request');
    expect(lines.join()).not.toContain('hidden');
  });

  it('writes of an error what happened and where, and none of the values that libraries add', () => {
    const { log, lines } = openLog();
    const inner = Object.assign(new Error('inner'), { code: 'ECONNREFUSED', port: 5432, args: ['hidden'] });
    const err = Object.assign(new AggregateError([inner], 'outer', { cause: new Error('cause') }), {
      ...{ code: '23505', table: 'users', constraint: 'users_email', detail: 'Key (email)=(hidden) exists.' },
      ...{ command: { name: 'set', args: ['hidden'] }, config: { headers: { authorization: 'hidden' } } },
    });
    log.error({ err }, 'failed');
    expect(lines.join()).not.toContain('hidden');
    expect(JSON.parse(lines[0] ?? '').err).toEqual({
      type: 'AggregateError',
      message: 'outer: cause',
      stack: expect.stringContaining('caused by: Error: cause'),
      ...{ code: '23505', table: 'users', constraint: 'users_email' },
      aggregateErrors: [
        { type: 'Error', message: 'inner', stack: expect.any(String), code: 'ECONNREFUSED', port: 5432 },
      ],
    });
  });

  it('contains the service, the level as a word, and the current request and trace', () => {
    const { log, lines } = openLog();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    runInContext({ requestId: 'req_1', traceparent }, () => log.warn('inside'));
    log.info('outside');
    const [inside, outside] = lines.map(line => JSON.parse(line));
    expect(inside).toMatchObject({
      service: 'content',
      level: 'warn',
      msg: 'inside',
      requestId: 'req_1',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
    });
    expect(outside).not.toHaveProperty('requestId');
    expect(new Date(outside.time).toISOString()).toBe(outside.time);
  });
});

it.each([
  ['a log file on a full disk', `openLogFile('/dev/full')`],
  ['a log whose reader is gone', 'undefined'],
])(
  '%s costs lines, and neither ends the process nor keeps it',
  (_what, destination) => {
    const program = `
    import { createLogger, openLogFile } from ${JSON.stringify(new URL('./logger.ts', import.meta.url))};
    const log = createLogger({ destination: ${destination} });
    setTimeout(() => {
      for (let n = 0; n < 500; n += 1) log.info('lost too'.repeat(50));
      log.fatal('lost too');
      for (let n = 0; n < 500; n += 1) log.info('lost too'.repeat(50));
      process.exit();
    }, 400);
    process.on('exit', code => console.error('ended with', code));`;
    const run = `timeout 10 "$0" --input-type=module -e "$1" | true; test "\${PIPESTATUS[0]}" = 0`;
    const ended = spawnSync('bash', ['-c', run, process.execPath, program]);
    expect([`${ended.stderr}`, ended.status]).toEqual(['ended with 0\n', 0]);
  },
  30_000,
);
