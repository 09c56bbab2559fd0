/**
 * Shares a connection's suspicion about its host with the other pools that use it. A vanished host closes no
 * connection, and each would cost its next user the whole timeout.
 */
const listeners = new Map<string, Set<() => void>>();

/**
 * Calls back when a connection to the URL's host did not answer or ended unexpectedly. @returns a function
 * that unsubscribes
 */
export function onSuspicion(url: string, listener: () => void): () => void {
  const { host } = new URL(url);
  const ofHost = listeners.get(host) ?? new Set();
  listeners.set(host, ofHost.add(listener));
  return () => ofHost.delete(listener);
}

export function suspectHost(url: string): void {
  for (const listener of listeners.get(new URL(url).host) ?? []) listener();
}
