export type Failure = { code: string; message: string };

/** For a peer that reports a failure without a reason. */
export const unknownFailure: Failure = { code: 'internal_error', message: 'no reason was given' };

/** The reason of a firing as shown to its owner. */
export function reasonOf({ code, message }: Failure): string {
  return `${code}: ${message}`;
}

/** True if the app of a firing was deleted: a generation misses nothing else. */
export function isAppGone({ code }: Failure): boolean {
  return code === 'not_found';
}
