import { describe, expect, it } from 'vitest';
import { isOwnHost, isOwnOrigin } from './own-hosts.rules.ts';

const publicUrl = 'https://hookline.example';

describe('isOwnHost', () => {
  it.each([
    ['hookline.example', true],
    ['hookline.example:8443', true],
    ['HOOKLINE.example', true],
    ['localhost:8080', true],
    ['127.0.0.1', true],
    ['[::1]:8080', true],
    ['evil.example', false],
    ['hookline.example.evil.example', false],
    ['localhost.evil.example', false],
    ['hookline.example@evil.example', false],
    ['', false],
    [undefined, false],
  ])('%s: %s', (host, expected) => {
    expect(isOwnHost(host, publicUrl)).toBe(expected);
  });
});

describe('isOwnOrigin', () => {
  it.each([
    [undefined, true],
    ['https://hookline.example', true],
    ['https://app.example', true],
    ['http://hookline.example', false],
    ['https://evil.example', false],
    ['null', false],
  ])('%s: %s', (origin, expected) => {
    expect(isOwnOrigin(origin, publicUrl, ['https://app.example'])).toBe(expected);
  });
});
