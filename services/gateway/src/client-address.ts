import { BlockList, isIP } from 'node:net';
import { ConfigurationError } from '@hookline/shared/config';
import type { FastifyRequest } from 'fastify';

/** The address that the per-IP limit counts. */
export type ClientAddress = (request: FastifyRequest) => string;

/**
 * The peer of the connection; where that is a trusted proxy, the last address in `X-Forwarded-For` that is not one.
 * @param trustedProxies addresses or networks (`10.0.0.0/8`). @throws ConfigurationError naming the entry.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return peerOf;
  const trusted = new BlockList();
  for (const entry of trustedProxies) addTo(trusted, entry);
  const isTrusted = (address: string): boolean => trusted.check(address, familyOf(address));
  return request => {
    const peer = peerOf(request);
    const forwarded = request.headers['x-forwarded-for'];
    if (forwarded === undefined || !isIP(peer) || !isTrusted(peer)) return peer;
    let client = peer;
    // From the right: what a trusted proxy wrote is believed, what stands left of a stranger is the stranger's word.
    for (const part of String(forwarded).split(',').reverse()) {
      const address = plain(part.trim());
      if (!isIP(address)) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client;
  };
}

function peerOf(request: FastifyRequest): string {
  return plain(request.raw.socket.remoteAddress ?? 'unknown');
}

/** IPv4 in its own form, also where the socket speaks IPv6. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function addTo(list: BlockList, entry: string): void {
  const [address = '', length] = entry.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  const bits = length === undefined ? longest : Number(length);
  if (!isIP(address) || !Number.isInteger(bits) || bits < 0 || bits > longest) {
    throw new ConfigurationError(
      `TRUSTED_PROXIES must be a list of addresses or networks such as 10.0.0.0/8; ${entry} is neither.`,
    );
  }
  list.addSubnet(address, bits, familyOf(address));
}
