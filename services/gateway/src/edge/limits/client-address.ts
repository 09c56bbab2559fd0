import { BlockList, isIP } from 'node:net';
import { ConfigurationError, createRecall } from '@hookline/shared/kernel';
import type { FastifyRequest } from 'fastify';

/**
 * The name that the per-IP limits count under: an IPv4 address, or the /64 of an IPv6 one
 * (`2001:db8:0:1::/64`).
 */
export type ClientAddress = (request: FastifyRequest) => string;

/**
 * The peer of the connection or, if that is a trusted proxy, the last address in `X-Forwarded-For` that is
 * not one.
 * @param trustedProxies addresses or networks (`10.0.0.0/8`). @throws ConfigurationError naming the entry.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const find = createFinder(trustedProxies);
  return (request: FastifyRequest & { [found]?: string }) => (request[found] ??= find(request));
}

// Limits, the body, the signature and the audit log each take the address of a request.
const found = Symbol('client address');

// Reading the headers of a proxy takes 4 µs. What one says takes 200 bytes.
const headersMax = 10_000;
const peersMax = 1_000;
/** Recalled up to this length: a client adds to it what it likes. */
const recalledLength = 64;

function createFinder(trustedProxies: readonly string[]): ClientAddress {
  const trusted = listOf(trustedProxies);
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, familyOf(address));
  const peers = createRecall<{ name: string; isTrusted: boolean }>(peersMax);
  const clients = createRecall<string>(headersMax);
  return request => {
    const { remoteAddress = 'unknown' } = request.raw.socket;
    const peer = peers(remoteAddress, () => {
      const address = plain(remoteAddress);
      return { name: countedAs(address), isTrusted: isTrusted(address) };
    });
    const forwarded = request.headers['x-forwarded-for'];
    if (forwarded === undefined || !peer.isTrusted) return peer.name;
    const read = (): string => clientOf(String(forwarded), isTrusted);
    return (forwarded.length > recalledLength ? read() : clients(String(forwarded), read)) || peer.name;
  };
}

/** Is empty when the last entry is no address. */
function clientOf(forwarded: string, isTrusted: (address: string) => boolean): string {
  let client = '';
  // An entry counts only if a trusted proxy added it, so the list is read from the right.
  for (const part of forwarded.split(',').reverse()) {
    const address = plain(withoutPort(part.trim()));
    if (!isIP(address)) break;
    client = address;
    if (!isTrusted(address)) break;
  }
  return countedAs(client);
}

/**
 * True for loopback and trusted proxies: many clients have such an address, so some limits leave them out.
 */
export function createExceptions(trustedProxies: readonly string[]): (address: string) => boolean {
  const excepted = listOf(['127.0.0.0/8', '::1', ...trustedProxies]);
  return given => {
    // The name that ::1 counts under.
    if (given === '0:0:0:0::/64') return true;
    const address = plain(given);
    return isIP(address) !== 0 && excepted.check(address, familyOf(address));
  };
}

/** Azure's gateways and IIS write the port of the client too. */
function withoutPort(entry: string): string {
  return entry.replace(/^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/, '$1$2');
}

/** Converts an IPv4-mapped IPv6 address to IPv4 notation; returns any other unchanged. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/**
 * A subscriber owns a whole /64, so it counts as one. An IPv4 address mapped or translated to IPv6 is one
 * host.
 */
export function countedAs(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const high = groups.slice(0, 6).join(':');
  if (high === '0:0:0:0:0:ffff' || high === '64:ff9b:0:0:0:0') {
    return groups
      .slice(6)
      .flatMap(group => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join('.');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address, without leading zeros, in lower case. */
function groupsOf(address: string): string[] {
  const [withoutZone = ''] = address.toLowerCase().split('%');
  const hex = withoutZone.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map(group => group.toString(16)).join(':'),
  );
  const [head = [], tail = []] = hex.split('::').map(part => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map(group => group.replace(/^0+(?=.)/, ''));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) addTo(list, entry);
  return list;
}

function addTo(list: BlockList, entry: string): void {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const longest = isIP(address) === 6 ? 128 : 32;
  const bits = length === undefined ? longest : Number(length);
  if (!isIP(address) || bits > longest) {
    throw new ConfigurationError(
      `TRUSTED_PROXIES must be a list of addresses or networks such as 10.0.0.0/8; ${entry} is neither.`,
    );
  }
  list.addSubnet(address, bits, familyOf(address));
}
