import { gatewaySettings } from '@hookline/gateway/settings';
import { loadSettings } from '@hookline/shared/kernel';
import { describe, expect, it } from 'vitest';
import { portsOf } from './require-free-port.ts';
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

  it('refuses one port for two servers, unless the simulators are not started', () => {
    const ports = { PORT: '8090', SIMULATORS_PORT: '8090' };
    expect(() => loadStandaloneSettings(ports)).toThrow(
      'PORT and SIMULATORS_PORT are both 8090: choose another for one.',
    );
    const real = { TIKTOK_CLIENT_KEY: 'aw1', TIKTOK_CLIENT_SECRET: 's' };
    expect(portsOf(loadStandaloneSettings({ ...ports, ...real }))).toEqual([['PORT', 8090]]);
    expect(portsOf(loadStandaloneSettings({}))).toEqual([
      ['PORT', 8080],
      ['SIMULATORS_PORT', 8090],
    ]);
  });

  it('says how long a name may be', () => {
    expect(() => loadSettings(gatewaySettings, { APP_NAME: 'a'.repeat(41) })).toThrow(
      'APP_NAME must have at most 40 characters.',
    );
  });
});
