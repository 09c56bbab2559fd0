import { beforeAll } from 'vitest';

/** Started things end by the first of these that they have. */
const endings = ['stop', 'close', 'drop', 'remove', 'end'] as const;
type Started = { [name in (typeof endings)[number]]?: () => unknown };

/**
 * Starts something before the tests of this file, or of this `describe`, and ends it after them. Tests and
 * hooks may use the result, which stands for what was started.
 */
export function perSuite<T extends object>(start: () => T | Promise<T>, timeoutMs?: number): T {
  let started: T | undefined;
  beforeAll(async () => {
    const one: Started = await start();
    started = one as T;
    return async () => {
      await one[endings.find(name => name in one) ?? 'stop']?.();
    };
  }, timeoutMs);
  const use = (): T => {
    if (started === undefined)
      throw new Error('It is started before the tests: use it in them and in hooks.');
    return started;
  };
  return new Proxy({} as T, {
    get(_target, name) {
      const value: unknown = Reflect.get(use(), name);
      return typeof value === 'function' ? value.bind(started) : value;
    },
    has: (_target, name) => Reflect.has(use(), name),
    // A copy by `...` reads both of these.
    ownKeys: () => Reflect.ownKeys(use()),
    getOwnPropertyDescriptor: (_target, name) => {
      const found = Reflect.getOwnPropertyDescriptor(use(), name);
      return found && { ...found, configurable: true };
    },
    set: (_target, name, value) => Reflect.set(use(), name, value),
  });
}
