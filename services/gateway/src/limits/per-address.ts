import { countOrRefuse, refuseWhenFull } from './count-or-refuse.ts';
import { createWindows } from './windows.ts';

/** What one network address may do in a window. Counted by this gateway alone. */
export type PerAddress = {
  /** @throws ApiError `rate_limited`; then nothing is counted */
  count(address: string): void;
  /** Counts nothing. @throws ApiError `rate_limited` when the window of the address is full */
  refuseWhenFull(address: string): void;
};

/** @param isExcepted true for addresses that are not counted */
export function createPerAddress(
  limit: number,
  windowMinutes: number,
  isExcepted: (address: string) => boolean,
): PerAddress {
  const windows = createWindows(20_000, windowMinutes * 60_000);
  return {
    count(address) {
      if (!isExcepted(address)) countOrRefuse(windows, [{ name: address, limit }]);
    },
    refuseWhenFull(address) {
      if (!isExcepted(address)) refuseWhenFull(windows, [{ name: address, limit }]);
    },
  };
}
