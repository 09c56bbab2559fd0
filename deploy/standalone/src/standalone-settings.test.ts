import { describe, expect, it } from 'vitest';
import { loadStandaloneSettings } from './standalone-settings.ts';

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
