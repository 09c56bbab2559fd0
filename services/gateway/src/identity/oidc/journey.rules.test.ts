import { expect, it } from 'vitest';
import { isConsolePage } from './journey.rules.ts';

it.each([
  '/console',
  '/console/',
  '/console/approve?deck=slideshow_1&x=%2F',
  '/console?tab=a',
  '/console/posts/slideshow_1/edit',
  '/console/apis',
  '/console/posts#top',
])('%s is a page of the console', path => {
  expect(isConsolePage(path)).toBe(true);
});

it.each([
  '',
  'console',
  'https://evil.example/console',
  '//evil.example/console',
  '/\\evil.example',
  '/console\\..\\..\\evil',
  '/console@evil.example',
  '/consolex',
  '/console/../docs',
  '/console/%2e%2e/docs',
  '/console/x/../../api/v1/keys',
  '/console/api/v1/auth/session',
  '/console/oidc/start',
  '/console/enter?token=x',
  '/console/a b',
  '/console/\nset-cookie:x',
  '/console/\u2028',
  `/console/${'a'.repeat(1_000)}`,
  'javascript:alert(1)',
])('%j is not', path => {
  expect(isConsolePage(path)).toBe(false);
});
