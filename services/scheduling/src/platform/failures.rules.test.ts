import { expect, it } from 'vitest';
import { notRenewed } from './failures.rules.ts';

it.each([
  ['access_denied', 'account', 'Connect it again'],
  ['invalid_client', 'internal', 'The operator must check the TikTok app'],
  ['unauthorized_client', 'internal', 'The operator must check'],
  ['invalid_request', 'internal', 'The operator must check'],
  ['invalid_scope', 'internal', 'The operator must check'],
  ['unsupported_grant_type', 'internal', 'The operator must check'],
])('a renewal that is refused with %s says who can do something about it', (code, category, message) => {
  const failure = notRenewed({ name: 'TikTok', reasons: {} }, code);
  expect(failure).toMatchObject({ category, retryable: true, message: expect.stringContaining(message) });
});
