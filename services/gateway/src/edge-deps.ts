import type { Forwarder } from './edge/forward/forward.ts';
import type { Cors } from './edge/gate/cors.ts';
import type { SecurityHeaders } from './edge/gate/security-headers.ts';
import type { Admissions, LimitSizes } from './edge/limits/admission.ts';
import type { RedisLink } from './edge/limits/redis-link.ts';
import type { Windows } from './edge/limits/windows.ts';
import type { Inside } from './identity/keys/credential.ts';
import type { CommonDeps, IdentityDeps } from './identity-deps.ts';
import type { Patience } from './timings.ts';

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
