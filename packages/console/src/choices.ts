/** What a person chose last, kept by the browser for the same person and workspace. */
import { ownerNow } from './queries.ts';
import { type Choices, type LastChoices, noChoices, withChoices } from './rules/choices.ts';

const keyOf = (owner: string) => `hookline.choices ${owner}`;

export function lastChoices(): LastChoices {
  const owner = ownerNow();
  try {
    const kept = owner !== null && JSON.parse(localStorage.getItem(keyOf(owner)) ?? 'null');
    return { ...noChoices, ...kept };
  } catch {
    return noChoices;
  }
}

export function keepChoices(appId: string, accountId: string, choices?: Choices): void {
  const owner = ownerNow();
  if (owner === null) return;
  try {
    localStorage.setItem(keyOf(owner), JSON.stringify(withChoices(lastChoices(), appId, accountId, choices)));
  } catch {
    // Without storage the next form begins empty.
  }
}
