/** Sign-ins that may fail per e-mail address and network address within `failureWindowMs`. */
export const failuresMax = 10;
export const failureWindowMs = 15 * 60_000;

/** Failures of an e-mail address over all network addresses, beyond which an unknown one is slowed down. */
export const allFailuresMax = 100;
const slowMs = 10_000;

/**
 * Failures of a pair that signed in before within `failureWindowMs`, beyond which it counts as unknown:
 * people behind one proxy share an address, and so may a guesser.
 */
export const knownFailuresMax = 100;

/** Addresses that are kept of a user. */
export const knownAddressesMax = 20;

export type FailuresSeen = {
  /** Times of the newest failures of the pair within the window, newest first, at most `knownFailuresMax`. */
  ofPair: readonly Date[];
  /** Over all network addresses; counted up to one more than `allFailuresMax`. */
  all: number;
  isKnown: boolean;
};

/**
 * Time in ms until the next attempt is allowed; null when it is allowed now (D-70). Others' failures slow an
 * unknown address down and never lock anyone out.
 */
export function waitForAttempt({ ofPair, all, isKnown }: FailuresSeen, now: Date): number | null {
  const oldest = ofPair[failuresMax - 1];
  if (oldest) return oldest.getTime() + failureWindowMs - now.getTime();
  const [newest] = ofPair;
  if (isKnown || all <= allFailuresMax || !newest) return null;
  const leftMs = newest.getTime() + slowMs - now.getTime();
  return leftMs > 0 ? leftMs : null;
}
