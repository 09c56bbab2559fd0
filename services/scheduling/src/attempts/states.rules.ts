/** An attempt is one call of content/init. */

export type AttemptState =
  /** The row is committed before the call. A pull of a slide shows that the call arrived. */
  | 'calling'
  /** A slide was pulled, but no readable answer came. The platform's webhook settles it. */
  | 'unconfirmed'
  | 'accepted'
  /** The links were closed before any pull, so the call can never become a post. */
  | 'refused'
  | 'unreachable'
  | 'fenced'
  | 'delivered'
  | 'failed'
  | 'unknown';

export const openAttemptStates = ['calling', 'unconfirmed', 'accepted'] as const;
const closedStates: readonly AttemptState[] = ['refused', 'unreachable', 'fenced'];

export function isOpenAttempt({ state }: { state: AttemptState }): boolean {
  return (openAttemptStates as readonly AttemptState[]).includes(state);
}

/** A call that seemed unreachable or refused may still have arrived, and found its links closed. */
export function isClosedAttempt({ state }: { state: AttemptState }): boolean {
  return closedStates.includes(state);
}
