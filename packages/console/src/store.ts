import { useSyncExternalStore } from 'react';

/** A value that is no state of a component. `use` draws it again when it is another one. */
export function createStore<T>(first: T) {
  let value = first;
  const listeners = new Set<() => void>();
  const get = () => value;
  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const set = (next: T) => {
    value = next;
    for (const listener of listeners) listener();
  };
  return { get, set, use: () => useSyncExternalStore(listen, get) };
}
