/** Webhooks are delivered to the globally reachable addresses of the IANA registries only. */
import ipaddr from 'ipaddr.js';

// ipaddr.js calls far more than that unicast; of IPv6 only 2000::/3 is allocated for the public internet.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** True for a public unicast address in plain IPv4 or IPv6 notation; false for anything else, also no address. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  // Mapped, translated and tunnelled forms (::ffff:0:0/96, 64:ff9b::/96, 2002::/16, 2001::/32) have ranges of
  // their own and are refused whatever IPv4 address they carry.
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

/** True for an address as the URL parser writes it: four decimal parts, or IPv6 without brackets. */
export function isAddress(host: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host);
}
