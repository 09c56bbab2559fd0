/**
 * Test data for the address filter: every block of the IANA special-purpose registries (IPv4, IPv6; as of
 * 2025-10) and multicast, "globally reachable" or not, and the possible spellings of an address
 * inside. None of them may be a webhook's target.
 */
import ipaddr from 'ipaddr.js';

export const specialBlocks: readonly string[] = [
  // IPv4: this network, private, shared, loopback, link-local, IETF, documentation, AS112, AMT, relay
  // anycast.
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.0.0/29', '192.0.0.8/32', '192.0.0.9/32', '192.0.0.10/32', '192.0.0.170/31'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.88.99.2/32'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '255.255.255.255/32'],
  // IPv6: loopback, unspecified, mapped, compatible, translated, NAT64, discard, IETF, documentation, 6to4,
  // SRv6, ULA.
  ...['::1/128', '::/128', '::ffff:0:0/96', '::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'],
  ...[
    '100::/64',
    '100:0:0:1::/64',
    '2001::/23',
    '2001::/32',
    '2001:1::1/128',
    '2001:1::2/128',
    '2001:1::3/128',
  ],
  ...['2001:2::/48', '2001:3::/32', '2001:4:112::/48', '2001:10::/28', '2001:20::/28', '2001:30::/28'],
  ...['2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10'],
  // Deprecated site-local, multicast, and unallocated ranges.
  ...[
    'fec0::/10',
    'ff00::/8',
    '200::/7',
    '400::/6',
    '4000::/3',
    '8000::/3',
    'c000::/3',
    'f000::/5',
    'f800::/6',
  ],
];

export function edgesOf(block: string): string[] {
  const [network, bits] = ipaddr.parseCIDR(block);
  const first = network.toByteArray();
  const last = first.map((byte, index) => byte | (255 >> Math.min(8, Math.max(0, bits - index * 8))));
  const middle = first.map((byte, index) => ((byte + (last[index] as number)) >> 1) & 255);
  return [first, middle, last].map(bytes => ipaddr.fromByteArray(bytes).toString());
}

/** Every spelling of this IPv4 address that URLs accept, except the normal form. */
export function spellingsOf(address: string): string[] {
  const bytes = ipaddr.IPv4.parse(address).toByteArray() as [number, number, number, number];
  const [a, b, c, d] = bytes;
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const tail24 = (b << 16) | (c << 8) | d;
  const tail16 = (c << 8) | d;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const octal = (value: number): string => `0${value.toString(8)}`;
  const groups = `${((a << 8) | b).toString(16)}:${tail16.toString(16)}`;
  const wide = (text: string): string =>
    text.replace(/\d/g, digit => String.fromCodePoint(0xff10 + Number(digit)));
  return [
    `${whole}`,
    hex(whole),
    hex(whole).toUpperCase().replace('0X', '0x'),
    octal(whole),
    `${a}.${tail24}`,
    `${a}.${b}.${tail16}`,
    `${hex(a)}.${hex(tail24)}`,
    `${octal(a)}.${octal(b)}.${octal(tail16)}`,
    bytes.map(hex).join('.'),
    bytes.map(octal).join('.'),
    bytes.map(value => `0x${value.toString(16).padStart(8, '0')}`).join('.'),
    `${hex(a)}.${b}.${octal(c)}.${d}`,
    `${address}.`,
    wide(address),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    address.replaceAll('.', '｡'),
    [...address].map(sign => `%${sign.codePointAt(0)?.toString(16)}`).join(''),
    `[::ffff:${address}]`,
    `[::ffff:${groups}]`,
    `[0:0:0:0:0:ffff:${groups}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${groups}]`,
    `[2002:${groups}::]`,
    `[2002:${groups}::1]`,
    `[2001:0:${groups}::]`,
    `[2001:0:53aa:64c:0:0:${(~((a << 8) | b) & 0xffff).toString(16)}:${(~tail16 & 0xffff).toString(16)}]`,
    `user@${address}`,
    `93.184.215.14@${address}`,
    `93.184.215.14%2f@${address}`,
  ];
}
