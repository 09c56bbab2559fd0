import { loadSettings } from '@hookline/shared/kernel';
import { expect, it } from 'vitest';
import { automationSettings } from './settings.ts';

it.each(['localhost', 'http://localhost:3000', '127.0.0.1:0', '::1:3000'])(
  'WEBHOOK_ALLOW_TARGETS=localhost:3000,%s is refused in one sentence',
  target => {
    const env = { WEBHOOK_ALLOW_TARGETS: `localhost:3000,${target}` };
    expect(() => loadSettings(automationSettings, env)).toThrow('WEBHOOK_ALLOW_TARGETS must be host:port');
  },
);
