import { describe, expect, it } from 'vitest';
import { readTarget } from './target.ts';

const none = new Set<string>();

const refusedHosts = [
  // Loopback in every spelling that the URL parser resolves to it.
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1'],
  ...[
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '0x7f.0x0.0x0.0x1',
    '127.255.255.254',
  ],
  ...['①②⑦.⓪.⓪.①', '127。0。0。1', '１２７.0.0.1', '%31%32%37.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]'],
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP-like.
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]'],
  ...['[64:ff9b:1::a00:1]', '[2002:7f00:1::]', '[2002:a00:1::1]', '[2001:0:7f00:1::]', '[::ffff:8.8.8.8]'],
  // This network, private, shared, link-local with the metadata services, IETF, documentation, benchmarking.
  ...['0', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  ...['100.64.0.1', '100.127.255.255', '169.254.169.254', '169.254.170.2', '192.0.0.1', '192.0.0.192'],
  ...[
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '198.19.255.255',
    '192.88.99.1',
    '192.31.196.1',
  ],
  ...['192.52.193.1', '192.175.48.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...['2852039166', '0xa9fea9fe', '0xA9.0xFE.0xA9.0xFE', '3232235777', '192.168.257', '10.1'],
  // IPv6: unspecified, link-local, site-local, unique local, multicast, discard, documentation, benchmarking
  // and more.
  ...['[::]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[100::1]'],
  ...['[2001:db8::1]', '[3fff::1]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]', '[5f00::1]', '[4000::1]'],
  ...['[2620:4f:8000::1]', '[1::1]', '[::2]'],
  // Names that are never public.
  ...['redis', 'postgres.', 'metadata.google.internal', 'printer.local', 'router.home.arpa'],
];

describe('readTarget', () => {
  it.each(refusedHosts)('https://%s/ is refused', host => {
    expect(() => readTarget('url', `https://${host}/hook`, none)).toThrow(/^url must/);
    expect(() => readTarget('url', `https://${host}:8443/hook`, none)).toThrow(/^url must/);
  });

  it('at least 60 spellings of internal hosts are refused', () => {
    expect(new Set(refusedHosts).size).toBeGreaterThanOrEqual(60);
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
