import { describe, expect, it } from 'vitest';
import { readTarget } from './target.ts';

const none = new Set<string>();

describe('readTarget', () => {
  // Every spelling of every special block is in the test of the address filter.
  it.each([
    ...['①②⑦.⓪.⓪.①', '127.1', '[::1]', '[::2]', '[1::1]', '[64:ff9b::7f00:1]', 'localhost.', 'a.localhost'],
    ...['postgres.', 'metadata.google.internal', 'printer.local', 'router.home.arpa'],
  ])('https://%s/ is refused', host => {
    expect(() => readTarget('url', `https://${host}/hook`, none)).toThrow(/^url must/);
    expect(() => readTarget('url', `https://${host}:8443/hook`, none)).toThrow(/^url must/);
  });

  it.each([
    'https://example.com/path',
    'https://hooks.example.com:8443/a?b=c',
    'https://93.184.215.14/',
    'https://8.8.8.8:22/',
    'https://172.32.0.1/',
    'https://100.128.0.1/',
    'https://[2606:4700:4700::1111]/',
    'https://bücher.example/',
    'https://example.com./',
  ])('the URL %s is accepted', url => {
    expect(readTarget('url', url, none).url.protocol).toBe('https:');
  });

  it.each([
    ['http://example.com/', 'url must use https'],
    ['ftp://example.com/', 'url must use https'],
    ['javascript:alert(1)', 'url must use https'],
    ['example.com/hook', 'url must be an absolute https URL, such as https://example.com/path'],
    ['https://user@example.com/', 'url must not carry a user name or password'],
    ['https://user:word@example.com/', 'url must not carry a user name or password'],
    ['https://:word@example.com/', 'url must not carry a user name or password'],
    ['https://example.com:0/', 'url must have a port from 1 to 65535, or none'],
    ['https://example.com:65536/', 'url must be an absolute https URL, such as https://example.com/path'],
    ['https://999.1.1.1/', 'url must be an absolute https URL, such as https://example.com/path'],
  ])('the URL %s is refused: %s', (url, message) => {
    expect(() => readTarget('url', url, none)).toThrow(message);
  });

  it('exactly the allowed targets are exempt, with http too', () => {
    const allowed = new Set(['127.0.0.1:9000', '[::1]:9001', 'receiver:80']);
    expect(readTarget('url', 'http://127.0.0.1:9000/x', allowed).isExempt).toBe(true);
    expect(readTarget('url', 'https://127.0.0.1:9000/x', allowed).isExempt).toBe(true);
    expect(readTarget('url', 'http://[::1]:9001/', allowed).isExempt).toBe(true);
    expect(readTarget('url', 'http://receiver/', allowed).isExempt).toBe(true);
    expect(() => readTarget('url', 'http://127.0.0.1:9002/', allowed)).toThrow('url must use https');
    expect(() => readTarget('url', 'https://127.0.0.1:9002/', allowed)).toThrow(/public host/);
    expect(() => readTarget('url', 'http://127.0.0.2:9000/', allowed)).toThrow('url must use https');
    expect(() => readTarget('url', 'http://user@127.0.0.1:9000/', allowed)).toThrow(/user name/);
  });
});
