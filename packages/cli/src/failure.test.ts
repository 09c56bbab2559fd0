import { HooklineError } from '@hookline/sdk';
import { expect, it } from 'vitest';
import { isRefusal, usage } from './failure.ts';

it.each([
  ['missing_scope', 403, true],
  ['not_ready', 409, true],
  ['validation_error', 422, true],
  ['service_unavailable', 503, false],
  ['connection_failed', null, false],
])('%s with %s: a refusal is %s', (code, status, expected) => {
  expect(isRefusal(new HooklineError('No.', { code, status }))).toBe(expected);
});

it('what the command line itself says is not a refusal of the API', () => {
  expect(isRefusal(usage('No.'))).toBe(false);
});
