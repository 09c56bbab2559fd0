/** `npm run audit-check` against a running product under a public name, with good and bad settings. */
import { execFile } from 'node:child_process';
import { findRefusals } from '@hookline/ops/audit';
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { ROOT } from '../../tools/test/run-command.ts';
import { startStandalone } from '../lab/kit/product/standalone.ts';

const shown = {
  APP_NAME: 'Slate',
  PRIVACY_URL: 'https://slate.example.com/privacy',
  TERMS_URL: 'https://slate.example.com/terms',
};
const env = {
  ...shown,
  PUBLIC_URL: 'https://post.slate.example.com',
  TIKTOK_CLIENT_KEY: 'aw1',
  TIKTOK_CLIENT_SECRET: 'secret',
};
const website = 'https://slate.example.com/';
const signatureFile = 'https://post.slate.example.com/media/tiktok1.txt';
const pages: Record<string, string> = {
  [website]: '<h1>Slate</h1><a href="/privacy">Privacy</a><a href="/terms">Terms</a>',
  [shown.PRIVACY_URL]: 'What we keep',
  [shown.TERMS_URL]: 'What you may do',
  'https://post.slate.example.com/tiktok1.txt': 'tiktok-developers-site-verification=1',
  'https://login.example.com/': 'Slate /privacy /terms <input type="password">',
};
const records: Record<string, string[]> = { 'slate.example.com': ['tiktok-developers-site-verification=1'] };

const product = perSuite(() => startStandalone(shown));

/** The public name leads to the product, as a proxy would. */
const outside: Parameters<typeof findRefusals>[2] = {
  async get(url) {
    const text = pages[url];
    if (text !== undefined) return { status: 200, text };
    if (!url.startsWith(env.PUBLIC_URL)) return null;
    const answer = await fetch(url.replace(env.PUBLIC_URL, product.gatewayUrl), { redirect: 'manual' });
    return { status: answer.status, text: await answer.text() };
  },
  txt: async name => records[name] ?? [],
};

async function refused(
  change: Record<string, string | undefined> = {},
  given: Parameters<typeof findRefusals>[1] = { website },
  through = outside,
) {
  const findings = await findRefusals({ ...env, ...change }, given, through);
  return findings.flatMap(({ about, refused: why }) => (why === null ? [] : [`${about}: ${why}`]));
}

it('nothing is refused with the settings that TikTok wants, under a verified domain or prefix', async () => {
  expect(await refused()).toEqual([]);
  const byFile = { website, signatureFile: 'https://post.slate.example.com/tiktok1.txt' };
  expect(await refused({}, byFile, { ...outside, txt: async () => [] })).toEqual([]);
  const { PUBLIC_URL: _, ...others } = env;
  const ofCompose = { ...others, HOOKLINE_HOST: 'post.slate.example.com' };
  const found = await findRefusals(ofCompose, { website }, outside);
  expect(found.filter(one => one.refused !== null)).toEqual([]);
});

it.each<[string, Record<string, string | undefined>, RegExp[]]>([
  [
    'no name',
    { APP_NAME: undefined },
    [/^app name: Set APP_NAME/, /^website: .*Hookline/, /another appName/],
  ],
  [
    'a name with TikTok in it',
    { APP_NAME: 'TikTok Slate' },
    [/^app name: No name/, /^website/, /another appName/],
  ],
  ['no privacy policy', { PRIVACY_URL: undefined }, [/^privacy policy: Set PRIVACY_URL/]],
  [
    'a page that is away',
    { TERMS_URL: 'https://slate.example.com/gone' },
    [/^website: .*gone/, /^terms of service: It answers nothing/, /another termsUrl/],
  ],
  [
    'a scope that nothing uses',
    { TIKTOK_SCOPES: 'user.info.basic,video.upload,video.list,user.info.stats' },
    [/^scopes: .*: user.info.stats$/],
  ],
  [
    'the simulated TikTok',
    { TIKTOK_API_URL: 'http://localhost:8090/tiktok' },
    [/^credentials: This is not TikTok/],
  ],
  ['no client', { TIKTOK_CLIENT_KEY: undefined }, [/^credentials: Set TIKTOK_CLIENT_KEY/]],
])('%s is refused', async (_name, change, reasons) => {
  const found = await refused(change);
  expect(found).toHaveLength(reasons.length);
  for (const [at, reason] of reasons.entries()) expect(found[at]).toMatch(reason);
});

it('a private address is refused, and one at which no Hookline answers', async () => {
  expect((await refused({ PUBLIC_URL: 'http://localhost:8080' })).join()).toMatch(
    /redirect URI: PUBLIC_URL must be https.*media prefix: PUBLIC_URL must be https/,
  );
  const elsewhere = (await refused({ PUBLIC_URL: 'https://other.example.com' })).join('\n');
  expect(elsewhere).toMatch(/redirect URI: No Hookline answers there \(no answer\)/);
  expect(elsewhere).toMatch(
    /posting dialog: The console there does not show: who posts, from creator_info; /,
  );
});

it.each(['<html>Coming soon</html>', '{}'])('another page for every address is refused: %s', async text => {
  const parked = { ...outside, get: async () => ({ status: 200, text }) };
  expect(await refused({}, { website }, parked)).toContain('sign-in page: No Hookline answers there.');
});

it('a domain without a TXT record is refused, and a file that verifies another prefix', async () => {
  const none = { ...outside, txt: async () => [] };
  expect(await refused({}, { website }, none)).toEqual([
    expect.stringMatching(
      /^media prefix: No TXT record .* at post\.slate\.example\.com or slate\.example\.com or example\.com/,
    ),
  ]);
  const elsewhere = { website, signatureFile: 'https://cdn.example.com/tiktok1.txt' };
  expect(await refused({}, elsewhere)).toEqual([expect.stringMatching(/verifies another prefix/)]);
  expect(await refused({}, { website, signatureFile })).toEqual([
    expect.stringMatching(/has no signature of TikTok/),
  ]);
});

it('a website that is missing, or only signs in, is refused', async () => {
  expect(await refused({}, { website: '' })).toEqual([expect.stringMatching(/^website: Name the official/)]);
  expect(await refused({}, { website: 'https://login.example.com/' })).toEqual([
    'website: A sign-in page is no website.',
  ]);
});

it('the command ends with 1 and names what is refused', async () => {
  const main = ['ops/src/audit/main.ts', '--website', 'https://slate.invalid'];
  const ended = await new Promise<{ code: number; stdout: string }>(resolve => {
    const options = { cwd: ROOT, env: { PATH: process.env.PATH } };
    execFile(process.execPath, main, options, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    );
  });
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(/^refused {2}app name .*\n.*Set APP_NAME/);
});
