import { describe, expect, it } from 'vitest';
import { choosePlatforms, usesSimulators } from './platforms.ts';

const simulated = { clientKey: 'key', clientSecret: 'secret' };
const choose = (settings: Record<string, string>) =>
  choosePlatforms(settings as never, 'http://localhost:8090', simulated);

describe('usesSimulators', () => {
  const real = {
    STORES: 'real',
    TIKTOK_API_URL: 'https://open.tiktokapis.com',
    YOUTUBE_API_URL: 'https://www.googleapis.com',
    INSTAGRAM_API_URL: 'https://graph.facebook.com',
  };

  it.each([
    [real, false],
    [{ ...real, TIKTOK_API_URL: undefined }, true],
    [{ ...real, INSTAGRAM_API_URL: undefined }, true],
    [{ ...real, STORES: 'auto' }, true],
  ])('%j: %s', (settings, uses) => {
    expect(usesSimulators(settings as never)).toBe(uses);
  });
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

  it('takes YouTube as configured, beside simulated others', () => {
    const given = { YOUTUBE_API_URL: 'https://www.googleapis.com', YOUTUBE_API_KEY: 'real' };
    expect(choose(given).env).toMatchObject(given);
  });

  it.each([
    [
      { YOUTUBE_API_URL: 'https://www.googleapis.com' },
      'YouTube is configured by half: set YOUTUBE_API_KEY too',
    ],
    [{ YOUTUBE_API_KEY: 'real' }, 'YouTube is configured by half: set YOUTUBE_API_URL too'],
    [{ TIKTOK_CLIENT_KEY: 'real' }, 'TikTok is configured by half: set TIKTOK_API_URL, TIKTOK_AUTH_URL'],
  ])('refuses %j in one sentence', (given, sentence) => {
    expect(() => choose(given as Record<string, string>)).toThrow(sentence);
  });
});
