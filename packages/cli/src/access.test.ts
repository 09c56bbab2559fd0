import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveAccess, toBaseUrl } from './access.ts';
import { configPath, readConfig, webhookSecret, writeConfig } from './config-file.ts';

let home: string;
let env: Record<string, string>;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hookline-cli-'));
  env = { XDG_CONFIG_HOME: join(home, 'config') };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const local = 'http://localhost:8080/api/v1';
const work = { baseUrl: 'https://work.example.com/api/v1', apiKey: 'key of work' };

function leaveFirstRun(fields: Record<string, string> = {}): string {
  mkdirSync(join(home, 'repo/.data'), { recursive: true });
  mkdirSync(join(home, 'repo/deep/er'), { recursive: true });
  const path = join(home, 'repo/.data/first-run.json');
  writeFileSync(
    path,
    JSON.stringify({ baseUrl: 'http://localhost:9/api/v1', apiKey: 'full', agentKey: 'agent', ...fields }),
    {
      mode: 0o600,
    },
  );
  return path;
}

describe('resolveAccess', () => {
  it('takes the flag before the environment before the profile before the local product', () => {
    leaveFirstRun();
    const from = join(home, 'repo/deep/er');
    expect(resolveAccess({}, env, from)).toMatchObject({
      baseUrl: 'http://localhost:9/api/v1',
      apiKey: 'agent',
    });
    expect(resolveAccess({}, { ...env, HOOKLINE_API_KEY: 'given' }, from)).toMatchObject({
      baseUrl: 'http://localhost:9/api/v1',
      apiKey: 'given',
    });
    writeConfig(env, {
      profile: 'work',
      profiles: { work, home: { baseUrl: local, apiKey: 'key of home' } },
    });
    expect(resolveAccess({}, env, from)).toMatchObject(work);
    expect(resolveAccess({}, { ...env, HOOKLINE_PROFILE: 'home' }, from).apiKey).toBe('key of home');
    const withKey = { ...env, HOOKLINE_PROFILE: 'home', HOOKLINE_API_KEY: 'given' };
    expect(resolveAccess({}, withKey, from)).toMatchObject({ baseUrl: local, apiKey: 'given' });
    expect(resolveAccess({ profile: 'work' }, withKey, from)).toMatchObject(work);
    expect(() => resolveAccess({ profile: 'none' }, env, from)).toThrow(
      'There is no profile "none"; there are work, home.',
    );
  });

  it('takes the profile of the flag as it is, whatever the environment and the machine say', () => {
    leaveFirstRun();
    const elsewhere = { baseUrl: 'http://localhost:9/api/v1', apiKey: 'key of home' };
    writeConfig(env, { profile: 'home', profiles: { work, home: elsewhere } });
    const from = join(home, 'repo');
    for (const HOOKLINE_BASE_URL of ['http://localhost:9', 'https://other.example.com', 'nonsense:']) {
      const given = { ...env, HOOKLINE_BASE_URL, HOOKLINE_API_KEY: 'given', HOOKLINE_PROFILE: 'home' };
      expect(resolveAccess({ profile: 'work' }, given, from)).toMatchObject(work);
    }
    const both = (baseUrl: string) => resolveAccess({ profile: 'work', baseUrl }, env, from);
    expect(both('work.example.com')).toMatchObject(work);
    expect(() => both('http://localhost:9')).toThrow(
      'The profile "work" is for https://work.example.com/api/v1, not for http://localhost:9/api/v1: leave one out.',
    );
    expect(() => resolveAccess({ profile: '' }, env, from)).toThrow('There is no profile ""');
  });

  it('refuses a key of the environment that no header can carry, without printing it', () => {
    for (const HOOKLINE_API_KEY of ['svc_live_a\nsvc_live_b', 'svc_live_…']) {
      expect(() => resolveAccess({}, { ...env, HOOKLINE_API_KEY }, home)).toThrow(
        /^HOOKLINE_API_KEY is not a key: it has/,
      );
    }
  });

  it('gives a stored key to no other address', () => {
    leaveFirstRun();
    writeConfig(env, { profile: 'work', profiles: { work } });
    const from = join(home, 'repo');
    expect(resolveAccess({ baseUrl: 'https://other.example.com' }, env, from)).toMatchObject({
      baseUrl: 'https://other.example.com/api/v1',
      apiKey: undefined,
    });
    expect(resolveAccess({ baseUrl: 'http://localhost:9' }, env, from).apiKey).toBe('agent');
  });

  it('believes no first-run.json that others can write, and says when only the full key is there', () => {
    const path = leaveFirstRun({ agentKey: '' });
    const old = { ...JSON.parse('{"baseUrl":"http://localhost:9/api/v1","apiKey":"full"}') };
    writeFileSync(path, JSON.stringify(old));
    const found = resolveAccess({}, env, join(home, 'repo'));
    expect(found).toMatchObject({ apiKey: 'full' });
    expect(found.source).toContain('approves and publishes');
    chmodSync(path, 0o666);
    expect(resolveAccess({}, env, join(home, 'repo')).apiKey).toBeUndefined();
  });
});

describe('the configuration file', () => {
  it('is for its owner alone, and refused when it is not', () => {
    const path = writeConfig(env, { profiles: { work } });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    chmodSync(path, 0o640);
    expect(() => readConfig(env)).toThrow(/can be read by others/);
    chmodSync(path, 0o600);
    writeFileSync(path, '{');
    expect(() => readConfig(env)).toThrow(/is not JSON/);
  });

  it('keeps the secret of listen, beside the profiles', () => {
    writeConfig(env, { profile: 'work', profiles: { work } });
    const secret = webhookSecret(env);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhookSecret(env)).toBe(secret);
    expect(readConfig(env).profiles).toEqual({ work });
    expect(webhookSecret({ ...env, HOOKLINE_WEBHOOK_SECRET: 'whsec_mine' })).toBe('whsec_mine');
  });

  it('is where XDG says; a relative folder is ignored', () => {
    expect(configPath({ HOME: '/home/maya' })).toBe('/home/maya/.config/hookline/config.json');
    expect(configPath({ HOME: '/home/maya', XDG_CONFIG_HOME: 'here' })).toBe(
      '/home/maya/.config/hookline/config.json',
    );
  });
});

it.each([
  ['http://localhost:8080', local],
  ['http://localhost:8080/api/v1/', local],
  ['hookline.example.com', 'https://hookline.example.com/api/v1'],
  ['https://example.com/hookline/api/v1', 'https://example.com/hookline/api/v1'],
])('the base URL %s is read as %s', (text, expected) => expect(toBaseUrl(text)).toBe(expected));

it.each(['', 'ftp://x', 'http://user:pw@x', 'http://x/?a=1', 'http://'])('"%s" is no base URL', text => {
  expect(() => toBaseUrl(text)).toThrow(/looks like http/);
});
