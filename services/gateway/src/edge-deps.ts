import type { Forwarder } from './edge/forward/forward.ts';
import type { Cors } from './edge/gate/cors.ts';
import type { SecurityHeaders } from './edge/gate/security-headers.ts';
import type { Admissions, LimitSizes } from './edge/limits/admission.ts';
import type { RedisLink } from './edge/limits/redis-link.ts';
import type { Windows } from './edge/limits/windows.ts';
import type { Inside } from './identity/keys/credential.ts';
import type { CommonDeps, IdentityDeps } from './identity-deps.ts';

/**
 * Limits for slow clients: timeouts in ms, the number of connections and the memory of bodies. Fixed in
 * production; tests shorten them.
 */
export type Patience = {
  headersMs: number;
  /** Headers and body together may take so long. */
  requestMs: number;
  /** A socket without traffic in either direction for this long is closed: its reader has stopped reading. */
  silenceMs: number;
  /** A request that began longer ago has its key or session checked again before it is carried out. */
  recheckMs: number;
  /** `headersMs` and `requestMs` are checked so often. */
  checkEveryMs: number;
  connectionsMax: number;
  /**
   * Bytes of bodies in memory, of all requests, from their first byte to their answer; uploads do not count.
   */
  bodyBytesMax: number;
  streamsMs: number;
};

export const defaultPatience: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  silenceMs: 120_000,
  recheckMs: 1_000,
  checkEveryMs: 2_000,
  connectionsMax: 10_000,
  bodyBytesMax: 64 * 1024 * 1024,
  streamsMs: 1_000,
};

export type EdgeDeps = CommonDeps &
  Pick<IdentityDeps, 'uses' | 'keysMax' | 'signUps' | 'mailer' | 'requiresVerification' | 'afterAnswer'> & {
    patience: Patience;
    limits: LimitSizes;
    admissions: Admissions;
    /** When null, limits are counted in memory. */
    redis: RedisLink | null;
    /** True for addresses that limits per address leave out: loopback and trusted proxies. */
    isExcepted: (address: string) => boolean;
    /** Requests of sessions in cookies, counted by this gateway alone: a browser talks to few of them. */
    cookieWindows: Windows;
    inside: Inside;
    forwarder: Forwarder;
    security: SecurityHeaders;
    /** When null, no origin is allowed. */
    cors: Cors | null;
  };
