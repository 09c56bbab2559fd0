/** States of an attempt, which is one call of content/init. */

export type AttemptState =
  /** Committed before the call. A pull of a slide shows that the call arrived. */
  | 'calling'
  /** No readable answer, but a slide was pulled. The platform's webhook settles it. */
  | 'unconfirmed'
  /** The platform answered with a publish id. */
  | 'accepted'
  /** Closed before any pull, so that the call can never become a post. */
  | 'refused'
  | 'unreachable'
  | 'fenced'
  /** The platform reported the outcome. */
  | 'delivered'
  | 'failed'
  /** Given up without an outcome. */
  | 'unknown';

export const openAttemptStates = ['calling', 'unconfirmed', 'accepted'] as const;
const closedStates: readonly AttemptState[] = ['refused', 'unreachable', 'fenced'];

/** The outcome is pending. */
export function isOpenAttempt({ state }: { state: AttemptState }): boolean {
  return (openAttemptStates as readonly AttemptState[]).includes(state);
}

/**
 * Its links were closed before any pull. A call that seemed unreachable or refused may still have arrived.
 */
export function isClosedAttempt({ state }: { state: AttemptState }): boolean {
  return closedStates.includes(state);
}
