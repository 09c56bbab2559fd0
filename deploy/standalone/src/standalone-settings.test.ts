import { describe, expect, it } from 'vitest';
import { changedLimits, loadStandaloneSettings } from './standalone-settings.ts';

describe('changedLimits', () => {
  it('names the limits that are not those of the API, and none where all are', () => {
    const changed = (env: Record<string, string>) => changedLimits(loadStandaloneSettings(env));
    expect(changed({})).toEqual([]);
    expect(changed({ LIMIT_PER_KEY: '120', LIMIT_PER_IP: '301' })).toEqual(['LIMIT_PER_IP']);
  });
});

describe('loadStandaloneSettings', () => {
  it.each([
    ['KAFKA_BROKERS', 'kafka:9092'],
    ['KAFKA_SASL_MECHANISM', 'plain'],
    ['ROLE', 'worker'],
  ])('refuses %s, which only services of their own read', (name, value) => {
    expect(() => loadStandaloneSettings({ [name]: value })).toThrow(
      `${name} is set, but "npm start" runs everything in one process`,
    );
  });
});
