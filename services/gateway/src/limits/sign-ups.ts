import { countOrRefuse } from './count-or-refuse.ts';
import { createWindows } from './windows.ts';

export type SignUps = {
  /** Counts a request that may make a user. @throws ApiError `rate_limited` */
  count(address: string): void;
};

/**
 * Refuses one address too many sign-ups in an hour, taken e-mail addresses included: each costs credits or a hash.
 * @param isExcepted true for addresses that are not counted
 */
export function createSignUps(perHour: number, isExcepted: (address: string) => boolean): SignUps {
  const windows = createWindows(20_000, 3_600_000);
  return {
    count(address) {
      if (isExcepted(address)) return;
      countOrRefuse(windows, [{ name: address, limit: perHour }]);
    },
  };
}
