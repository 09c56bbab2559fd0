/**
 * What a caller can make a service fetch is fetched from globally reachable addresses of
 * the IANA registries only.
 */
import ipaddr from 'ipaddr.js';

// ipaddr.js also calls other ranges unicast; of IPv6 only 2000::/3 is allocated for the public internet.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** True for a public unicast address in plain IPv4 or IPv6 notation; false for anything else. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  // Mapped, translated and tunneled forms (::ffff:0:0/96, 64:ff9b::/96, 2002::/16, 2001::/32) have separate
  // ranges and are refused whatever IPv4 address they carry.
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

/** True for an address in the URL parser's notation: four decimal parts, or IPv6 without brackets. */
export function isAddress(host: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host);
}

/** A target as settings write it: `host:port`, IPv6 in brackets. */
export function targetKey(host: string, port: string | number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Name or address of a URL, without the brackets of IPv6 and without a trailing dot. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** True for a public address and for a name that may be one. Names are resolved elsewhere. */
export function isPublicHost(host: string): boolean {
  if (isAddress(host)) return isPublicAddress(host);
  // Single labels and these endings are never on the public internet (RFC 6761, 6762, 8375; .internal by
  // ICANN).
  return host.includes('.') && !/\.(localhost|local|internal|home\.arpa)$/.test(host);
}
