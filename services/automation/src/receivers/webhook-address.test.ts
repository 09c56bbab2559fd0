import { isAddress, isPublicAddress } from '@hookline/shared/http/public-address';
import { describe, expect, it } from 'vitest';

describe('isPublicAddress', () => {
  it.each([
    ...['1.1.1.1', '8.8.8.8', '93.184.215.14', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
    ...['126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
    ...['191.255.255.255', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255'],
    ...['198.20.0.0', '198.51.99.255', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
    ...[
      '2606:4700:4700::1111',
      '2001:200::1',
      '2001:4860:4860::8888',
      '2003::1',
      '2a00:1450::1',
      '2620:fe::fe',
    ],
  ])('%s, beside a special block, is a public address', address => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it('a text that is no address is not public', () => {
    for (const text of ['', 'example.com', '1.2.3.4.5', '::g', '300.1.1.1', '0x7f.1', 'fe80::1%eth0']) {
      expect(isPublicAddress(text), text).toBe(false);
    }
  });
});

describe('isAddress', () => {
  it('isAddress accepts addresses only as the URL parser writes them', () => {
    for (const text of ['127.0.0.1', '::1', '2606:4700::1']) expect(isAddress(text), text).toBe(true);
    for (const text of ['127.1', '2130706433', 'example.com', '1.2.3.4.example']) {
      expect(isAddress(text), text).toBe(false);
    }
  });
});
