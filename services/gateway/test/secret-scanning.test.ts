import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from '../../../tools/test/source-files.ts';
import { isApiKey, makeApiKey, visiblePrefix } from '../src/identity/keys/api-key.rules.ts';
import { makeSessionToken } from '../src/identity/sessions/token.rules.ts';

const root = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');

/** The page's pattern that finds values with this prefix. */
function patternFor(prefix: string): RegExp {
  const source = [...page.matchAll(/`(\\b[^`]+)`/g)]
    .map(match => match[1] ?? '')
    .find(text => text.includes(prefix));
  if (!source) throw new Error(`the page has no pattern for ${prefix}`);
  return new RegExp(source, 'g');
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomDigits = (count: number) => Array.from(randomBytes(count), byte => digits[byte % 62]).join('');

describe('the patterns of SECURITY.md', () => {
  it('its pattern finds every minted key in text, and not what is shown of one', () => {
    const pattern = patternFor('svc_live_');
    const keys = Array.from({ length: 1_000 }, () => makeApiKey(randomBytes(32)));
    const text = keys.map(key => `export KEY="${key}" # ${visiblePrefix(key)}`).join('\n');
    expect(text.match(pattern)).toEqual(keys);
  });

  it('its program judges keys and what only looks alike as the gateway does', async () => {
    const program = /```js\n([\s\S]+?)```/.exec(page)?.[1] ?? '';
    const module = await import(`data:text/javascript,${encodeURIComponent(program)}`);
    for (let turn = 0; turn < 200; turn += 1) {
      const key = makeApiKey(randomBytes(32));
      expect(module.isApiKey(key)).toBe(true);
      const alike = `svc_live_${randomDigits(49)}`;
      expect([alike, module.isApiKey(alike)]).toEqual([alike, isApiKey(alike)]);
      expect(module.isApiKey(`${key} `)).toBe(false);
    }
  });

  it('its other patterns find sessions and webhook secrets', () => {
    for (let turn = 0; turn < 200; turn += 1) {
      const session = makeSessionToken(randomBytes(32));
      expect(`Bearer ${session}\n`.match(patternFor('sess_'))).toEqual([session]);
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      expect(`"${secret}"`.match(patternFor('whsec_'))).toEqual([secret]);
    }
  });

  it('no file of the repository holds what looks like a key', () => {
    const files = listFiles(root, ['']);
    expect(files.length).toBeGreaterThan(300);
    const pattern = patternFor('svc_live_');
    const found = files.filter(file => readFileSync(join(root, file), 'latin1').match(pattern));
    expect(found).toEqual([]);
  });
});
