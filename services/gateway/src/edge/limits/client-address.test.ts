import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createClientAddress } from './client-address.ts';

const from = (remoteAddress: string, forwarded?: string): FastifyRequest =>
  ({
    raw: { socket: { remoteAddress } },
    headers: { 'x-forwarded-for': forwarded },
  }) as unknown as FastifyRequest;

describe('the address that is counted', () => {
  it('is the peer, whatever X-Forwarded-For says, when no proxy is trusted', () => {
    expect(createClientAddress([])(from('203.0.113.9', '1.2.3.4'))).toBe('203.0.113.9');
  });

  it('is the peer when the peer is not a trusted proxy', () => {
    expect(createClientAddress(['10.0.0.0/8'])(from('203.0.113.9', '1.2.3.4'))).toBe('203.0.113.9');
  });

  it('is the last address that is not a trusted proxy', () => {
    const address = createClientAddress(['10.0.0.0/8', '::1']);
    expect(address(from('::ffff:10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2'))).toBe('1.2.3.4');
    expect(address(from('::1', '2001:db8::1'))).toBe('2001:db8:0:0::/64');
  });

  it.each([
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:DB8::1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
    ['2001:0db8:0000:0001:0a00:0:0:2', '2001:db8:0:1::/64'],
    ['2001:db8:0:2::1', '2001:db8:0:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['0:0:0:0:0:FFFF:203.0.113.9', '203.0.113.9'],
    ['64:ff9b::203.0.113.9', '203.0.113.9'],
    ['203.0.113.9', '203.0.113.9'],
    ['unknown', 'unknown'],
  ])('counts %s as %s', (address, counted) => {
    expect(createClientAddress([])(from(address))).toBe(counted);
    if (address === 'unknown') return;
    expect(createClientAddress(['10.0.0.1'])(from('10.0.0.1', address))).toBe(counted);
  });

  it('stops at anything that is not an address', () => {
    expect(createClientAddress(['10.0.0.1'])(from('10.0.0.1', '1.2.3.4, nonsense'))).toBe('10.0.0.1');
  });

  it.each([
    ['1.2.3.4:51234', '1.2.3.4'],
    ['[2001:db8::1]:51234', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
  ])('leaves out the port of %s, which some proxies add', (forwarded, counted) => {
    expect(createClientAddress(['10.0.0.1'])(from('10.0.0.1', `6.6.6.6, ${forwarded}`))).toBe(counted);
  });

  it.each(['nonsense', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/', '10.0.0.0/8/8'])(
    'refuses to start with %s',
    entry => {
      expect(() => createClientAddress([entry])).toThrow(/TRUSTED_PROXIES/);
    },
  );
});
