import { countOrRefuse, refuseWhenFull } from './count-or-refuse.ts';
import { createWindows } from './windows.ts';

/** A /48 is given to one customer, who has 65,536 of the /64 that an address counts as. */
const perNetwork = 10;

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
  const windowsOf = (address: string) => {
    const network = /^((?:[\da-f]+:){3})[\da-f]+::\/64$/.exec(address)?.[1];
    return [
      { name: address, limit },
      ...(network === undefined ? [] : [{ name: `${network}:/48`, limit: limit * perNetwork }]),
    ];
  };
  return {
    count(address) {
      if (!isExcepted(address)) countOrRefuse(windows, windowsOf(address));
    },
    refuseWhenFull(address) {
      if (!isExcepted(address)) refuseWhenFull(windows, windowsOf(address));
    },
  };
}
