/**
 * Outgoing connections to addresses that callers name: each one dials exactly the address that was checked.
 * A name is resolved once per connection, and that answer is dialed, so a name that points
 * elsewhere a moment later (DNS rebinding) has no effect.
 */
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { bareHost, isAddress, isPublicAddress, targetKey } from './rules/public-address.ts';

export type ResolvedAddress = { address: string; family: 4 | 6 };
export type ResolveName = (host: string) => Promise<ResolvedAddress[]>;

export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError';
  constructor() {
    super('the address is not public');
  }
}

const connectTimeoutMs = 5_000;

/**
 * Resolves every address of a name from DNS alone: no hosts file, no pool thread that a slow name server
 * could block. Takes at most about 6 s: the second try waits twice as long as the first.
 */
export function createResolver(): ResolveName {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async host => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    const of = (found: typeof v4, family: 4 | 6): ResolvedAddress[] =>
      found.status === 'fulfilled' ? found.value.map(address => ({ address, family })) : [];
    return [...of(v4, 4), ...of(v6, 6)];
  };
}

/** Resolves a name whose addresses must all be public. @throws AddressRefusedError if one is not. */
export async function resolvePublic(resolve: ResolveName, host: string): Promise<ResolvedAddress[]> {
  const addresses = await resolve(host);
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new AddressRefusedError();
  return addresses;
}

/** A connector for undici that dials only checked addresses and exempt targets. */
export function createGuardedConnector(
  allowedTargets: ReadonlySet<string>,
  resolve: ResolveName,
): buildConnector.connector {
  const lookup: LookupFunction = (host, options, callback) => {
    resolvePublic(resolve, host).then(
      addresses => {
        const [first] = addresses;
        if (!first) callback(new Error('the name has no address'), '', 0);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
  const connectGuarded = buildConnector({ timeout: connectTimeoutMs, lookup, allowH2: false });
  const connectFreely = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
  return (options, callback) => {
    const host = bareHost(options.hostname);
    const port = options.port || (options.protocol === 'http:' ? '80' : '443');
    if (allowedTargets.has(targetKey(host, port))) return connectFreely(options, callback);
    // A literal address is dialed without a lookup, so it is checked here.
    const isRefused = options.protocol !== 'https:' || (isAddress(host) && !isPublicAddress(host));
    if (isRefused) return callback(new AddressRefusedError(), null);
    return connectGuarded(options, callback);
  };
}
