import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceNames } from '@hookline/shared/contracts/scopes';
import { callsBetweenServices, createCallSigner, createCallVerifier } from '@hookline/shared/http';
import { loadSettings, type NamedKey } from '@hookline/shared/kernel';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'hookline-secrets-'));
execFileSync(process.execPath, [fileURLToPath(new URL('make-secrets.mjs', import.meta.url)), folder]);
afterAll(() => rmSync(folder, { recursive: true }));

const ringOf = (name: string): NamedKey[] =>
  loadSettings(['SERVICE_SIGNING_KEYS'], {
    SERVICE_SIGNING_KEYS: readFileSync(join(folder, name, 'signing-keys'), 'utf8'),
  }).SERVICE_SIGNING_KEYS ?? [];

describe('the signing keys that are made for a deployment', () => {
  const asked = ['POST', '/v1/content'] as const;
  const call = { method: asked[0], path: asked[1], requestId: 'req_1', caller: null, body: '{}' };
  const pairs = serviceNames.flatMap(sender => serviceNames.map(audience => ({ sender, audience })));

  it('let exactly the services that call each other do so', () => {
    const believed = pairs.filter(({ sender, audience }) => {
      const headers = createCallSigner(ringOf(sender))({ ...call, sender, audience });
      return createCallVerifier(ringOf(audience), audience)(headers, ...asked) !== null;
    });
    const wanted = callsBetweenServices.map(([sender, audience]) => ({ sender, audience }));
    const toThemselves = serviceNames.map(name => ({ sender: name, audience: name }));
    expect(believed).toEqual(expect.arrayContaining([...wanted, ...toThemselves]));
    expect(believed).toHaveLength(wanted.length + toThemselves.length);
  });

  it('of one service sign in the name of no other', () => {
    for (const thief of serviceNames) {
      for (const held of ringOf(thief)) {
        for (const { sender, audience } of pairs.filter(
          pair => pair.sender !== thief && pair.audience !== thief,
        )) {
          const headers = createCallSigner([held])({ ...call, sender, audience });
          expect(createCallVerifier(ringOf(audience), audience)(headers, ...asked)).toBeNull();
        }
      }
    }
  });
});
