import type { PerAddress } from '../../identity-deps.ts';
import { countOrRefuse, createWindows, refuseWhenFull } from './windows.ts';

/** A /48 is given to one customer, who has 65,536 of the /64 that an address counts as. */
const perNetwork = 10;

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
