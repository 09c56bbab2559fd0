import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSettings, requireSettings } from './config.ts';

const key32 = Buffer.alloc(32, 7).toString('base64');

describe('settings', () => {
  it('an empty variable counts as not set', () => {
    expect(loadSettings(['PORT', 'KAFKA_TLS_CA'], { PORT: '', KAFKA_TLS_CA: '' })).toEqual({ PORT: 8080 });
  });

  it.each([
    ['PORT', '80a', 'PORT must be an integer from 0 to 65535.'],
    ['PORT', '65536', 'PORT must be an integer from 0 to 65535.'],
    ['ROLE', 'both', 'ROLE must be api, worker or all.'],
    ['REDIS_URL', 'localhost:6379', 'REDIS_URL must be a URL (redis, rediss).'],
    [
      'SIMULATORS_CONTROL_TOKEN',
      'short',
      'SIMULATORS_CONTROL_TOKEN must be a text of at least 16 characters.',
    ],
    ['CONTENT_URL', 'http://a/x', 'CONTENT_URL must be a URL (http, https), or several with commas.'],
    ['CONTENT_URL', 'http://a:99999', 'CONTENT_URL must be a URL (http, https), or several with commas.'],
    ...['http://a?b=1', 'http://a/#b', 'http://u:p@a'].map(
      value =>
        [
          'PUBLIC_URL',
          value,
          'PUBLIC_URL must be a URL (http, https) without user, query and fragment.',
        ] as const,
    ),
    ['CONTENT_URL', 'http://a?b', 'CONTENT_URL must be a URL (http, https), or several with commas.'],
    ['KAFKA_BROKERS', 'kafka', 'KAFKA_BROKERS must be host:port with commas'],
    [
      'KAFKA_BROKERS',
      'kafka:9092,[::1]:9092',
      'KAFKA_BROKERS must be host:port with commas, such as 127.0.0.1:9092 or kafka:9092.',
    ],
  ] as const)('%s=%s is refused in one sentence', (name, value, message) => {
    expect(() => loadSettings([name], { [name]: value })).toThrow(message);
  });

  it('a secret may be in a file, and the variable itself takes precedence', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'hookline-secret-')), 'redis');
    writeFileSync(path, 'redis://from-file:6379\n');
    const given = { REDIS_URL_FILE: path };
    expect(loadSettings(['REDIS_URL'], given)).toEqual({ REDIS_URL: 'redis://from-file:6379' });
    expect(loadSettings(['REDIS_URL'], { ...given, REDIS_URL: 'redis://given:6379' })).toEqual({
      REDIS_URL: 'redis://given:6379',
    });
    expect(() => loadSettings(['REDIS_URL'], { REDIS_URL_FILE: '/nowhere' })).toThrow(
      'REDIS_URL_FILE must name a file that can be read; /nowhere cannot (ENOENT).',
    );
    expect(loadSettings(['HOST'], { HOST_FILE: path })).toEqual({ HOST: '127.0.0.1' });
  });

  it.each([
    ['a short key', 'one:c2hvcnQtc2VjcmV0'],
    ['a key in hex, which no cipher takes', `one:${'a'.repeat(64)}`],
    ['an id twice, whose secrets the wrong key would open', `one:${key32},one:${key32}`],
  ])('%s is refused, and not repeated', (_, given) => {
    expect(() => loadSettings(['ENCRYPTION_KEYS'], { ENCRYPTION_KEYS: given })).toThrow(
      /^ENCRYPTION_KEYS must be id:base64\[,id:base64\], each key 32 bytes and each id once\.$/,
    );
  });

  it('a key ring keeps its order and hides its bytes', () => {
    const { ENCRYPTION_KEYS: ring } = loadSettings(['ENCRYPTION_KEYS'], {
      ENCRYPTION_KEYS: `new:${key32},old:${key32}`,
    });
    expect(ring?.map(entry => entry.id)).toEqual(['new', 'old']);
    expect(JSON.stringify(ring)).not.toContain(key32);
  });

  it('what is missing is named, all of it', () => {
    const given = loadSettings(['DATABASE_URL', 'REDIS_URL', 'PORT'], {});
    expect(() => requireSettings(given, ['DATABASE_URL', 'REDIS_URL'], 'it cannot work without')).toThrow(
      'DATABASE_URL, REDIS_URL must be set: it cannot work without.',
    );
  });
});
