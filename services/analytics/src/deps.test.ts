import { randomBytes } from 'node:crypto';
import { loadSettings } from '@hookline/shared/kernel';
import { describe, expect, it } from 'vitest';
import { createDeps } from './deps.ts';
import { analyticsSettings } from './settings.ts';
import { defaultTimings } from './timings.ts';

const env: Record<string, string> = {
  ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
  YOUTUBE_API_URL: 'https://youtube.example',
  YOUTUBE_API_KEY: 'a-secret-key',
  INSTAGRAM_API_URL: 'https://instagram.example',
};

function depsWithout(...names: string[]) {
  return depsOf(Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name))));
}

function depsOf(given: Record<string, string>) {
  const runtime = { settings: loadSettings(analyticsSettings, given), shutdown: { add() {} } };
  return createDeps(runtime as never, defaultTimings);
}

describe('createDeps', () => {
  it.each(Object.keys(env))('without %s refuses to start, in a sentence that names it', name => {
    expect(() => depsWithout(name)).toThrow(new RegExp(`^${name} must be set: the analytics service needs`));
  });

  it('names all that are missing', () => {
    expect(() => depsWithout('YOUTUBE_API_KEY', 'INSTAGRAM_API_URL')).toThrow(
      /^YOUTUBE_API_KEY, INSTAGRAM_API_URL must be set/,
    );
  });

  it('reads no YouTube numbers with the key "none"', async () => {
    for (const [key, isRead] of [
      ['none', false],
      ['a-secret-key', true],
    ] as const) {
      const deps = depsOf({ ...env, YOUTUBE_API_KEY: key });
      expect(deps.isYoutubeRead).toBe(isRead);
      await Promise.all([deps.youtube.close(), deps.instagram.close()]);
    }
  });

  it('takes the documented defaults, and names the key by a digest', async () => {
    const deps = depsWithout();
    expect(deps.youtubeDailyUnits).toBe(10_000);
    expect(deps.youtubeCredential).toMatch(/^youtube:[0-9a-f]{16}$/);
    expect(deps.youtubeCredential).not.toContain(env.YOUTUBE_API_KEY);
    await Promise.all([deps.youtube.close(), deps.instagram.close()]);
  });
});
