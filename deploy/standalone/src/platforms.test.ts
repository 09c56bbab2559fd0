import { describe, expect, it } from 'vitest';
import { choosePlatforms, requireWholePlatforms, usesSimulators } from './platforms.ts';

const simulated = { clientKey: 'key', clientSecret: 'secret' };
const choose = (settings: Record<string, string>) =>
  choosePlatforms(settings as never, 'http://localhost:8090', simulated);

const tiktok = { TIKTOK_CLIENT_KEY: 'aw1', TIKTOK_CLIENT_SECRET: 's' };

it.each([
  [{}, true],
  [{ STORES: 'real' }, true],
  [tiktok, false],
  [{ ...tiktok, STORES: 'simulated' }, true],
])('starts the simulators with %j: %s', (settings, uses) => {
  expect(usesSimulators(settings as never)).toBe(uses);
});

describe('choosePlatforms', () => {
  it('takes the simulators where nothing is set', () => {
    const { env, isTiktokSimulated } = choose({});
    expect(isTiktokSimulated).toBe(true);
    expect(env).toMatchObject({
      TIKTOK_API_URL: 'http://localhost:8090/tiktok',
      YOUTUBE_API_URL: 'http://localhost:8090/youtube',
      INSTAGRAM_API_URL: 'http://localhost:8090/instagram',
      STORE_SIMULATORS_URL: 'http://localhost:8090',
    });
    expect(env).not.toHaveProperty('APP_STORE_URL');
  });

  it.each([
    [{ STORES: 'auto' }, true],
    [{ STORES: 'simulated' }, true],
    [{ STORES: 'real' }, false],
    [{ STORES: 'auto', APP_STORE_URL: 'https://itunes.apple.com' }, false],
  ])('imports the simulated app with %j: %s', (given, isSimulated) => {
    expect(choose(given as Record<string, string>).isAppStoreSimulated).toBe(isSimulated);
  });

  it('takes every real platform with a client key of TikTok, and what is given', () => {
    const given = { ...tiktok, TIKTOK_API_URL: 'https://sandbox.example.com' };
    expect(choosePlatforms(given as never, null, simulated).env).toEqual({
      ...given,
      TIKTOK_AUTH_URL: 'https://www.tiktok.com',
      YOUTUBE_API_URL: 'https://www.googleapis.com',
      YOUTUBE_API_KEY: 'none',
      INSTAGRAM_API_URL: 'https://graph.instagram.com',
    });
  });

  it('takes YouTube as configured, beside simulated others', () => {
    const given = { YOUTUBE_API_KEY: 'real' };
    expect(choose(given).env).toMatchObject({ ...given, YOUTUBE_API_URL: 'https://www.googleapis.com' });
  });

  it.each([
    [{ YOUTUBE_API_URL: 'https://www.googleapis.com' }, /^YOUTUBE_API_URL .* YOUTUBE_API_KEY/],
    [{ TIKTOK_CLIENT_KEY: 'aw1' }, /^TIKTOK_CLIENT_KEY .* TIKTOK_CLIENT_SECRET/],
    [{ TIKTOK_API_URL: 'https://open.tiktokapis.com' }, /^TIKTOK_API_URL .* TIKTOK_CLIENT_KEY/],
  ])('refuses %j in one sentence', (given, sentence) => {
    expect(() => requireWholePlatforms(given as never)).toThrow(sentence);
  });
});
