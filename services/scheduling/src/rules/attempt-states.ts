/** States of an attempt: one call of content/init, and what is known of its outcome. */

export type AttemptState =
  /** Committed before the call. A pull of a slide shows that the call arrived. */
  | 'calling'
  /** No readable answer, and a slide was pulled. The platform's webhook settles it. */
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

/** The outcome is awaited. */
export function isOpenAttempt({ state }: { state: AttemptState }): boolean {
  return (openAttemptStates as readonly AttemptState[]).includes(state);
}

/**
 * Its links were closed before any pull. A call that seemed unreachable or refused may have arrived all the
 * same.
 */
export function isClosedAttempt({ state }: { state: AttemptState }): boolean {
  return closedStates.includes(state);
}
