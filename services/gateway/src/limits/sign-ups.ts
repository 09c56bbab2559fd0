import { countOrRefuse } from './count-or-refuse.ts';
import { createWindows, type Windows } from './windows.ts';

export type SignUps = {
  /** Counts a request that may make a user. @throws ApiError `rate_limited` */
  count(address: string): void;
};

/**
 * Refuses one address too many sign-ups in an hour, taken e-mail addresses included: each costs credits or a hash.
 * @param isExcepted true for addresses that are not counted
 */
export function createSignUps(perHour: number, isExcepted: (address: string) => boolean): SignUps {
  return countPerAddress(createWindows(20_000, 3_600_000), perHour, isExcepted);
}

/** Refuses one address too many requests of sign-ins at the issuer in a minute: each may cost a request there. */
export function createOidcRequests(perMinute: number, isExcepted: (address: string) => boolean): SignUps {
  return countPerAddress(createWindows(20_000), perMinute, isExcepted);
}

function countPerAddress(windows: Windows, limit: number, isExcepted: (address: string) => boolean): SignUps {
  return {
    count(address) {
      if (isExcepted(address)) return;
      countOrRefuse(windows, [{ name: address, limit }]);
    },
  };
}
