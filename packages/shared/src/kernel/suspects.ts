/**
 * What one connection of a process learns of its host, told to the pools that go there. A host that vanished says nothing
 * on any connection, and each would cost its next user the whole time limit.
 */
const listeners = new Map<string, Set<() => void>>();

/** Calls back when a connection to the URL's host gave no answer or ended unasked. @returns stops that. */
export function onSuspicion(url: string, listener: () => void): () => void {
  const { host } = new URL(url);
  const ofHost = listeners.get(host) ?? new Set();
  listeners.set(host, ofHost.add(listener));
  return () => ofHost.delete(listener);
}

export function suspectHost(url: string): void {
  for (const listener of listeners.get(new URL(url).host) ?? []) listener();
}
