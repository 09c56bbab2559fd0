import { type ComponentType, createElement, use } from 'react';
import { offlineMessage } from './api.ts';

const parts: (() => Promise<boolean>)[] = [];

/**
 * Loads every part that is not there yet: what opens while the server is away must have been loaded before.
 * @returns false if one could not be loaded
 */
export async function loadParts(): Promise<boolean> {
  return (await Promise.all(parts.map(load => load()))).every(isLoaded => isLoaded);
}

/** A component that is loaded when it is first drawn. One that failed throws until `loadParts` has it. */
export function later<Name extends string, Props extends object>(
  read: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  let part: ComponentType<Props> | undefined;
  let error: unknown;
  let loading: Promise<void> | undefined;
  const preload = () => {
    loading ??= read()
      .then(
        loaded => {
          part = loaded[name];
        },
        failure => {
          error = new Error(offlineMessage, { cause: failure });
        },
      )
      .finally(() => {
        if (part === undefined) loading = undefined;
      });
    return loading;
  };
  parts.push(() => preload().then(() => part !== undefined));
  const Later = (props: Props) => {
    if (part === undefined) {
      if (error !== undefined) throw error;
      use(preload());
    }
    return createElement(part as ComponentType<Props>, props);
  };
  return Object.assign(Later, { preload });
}
