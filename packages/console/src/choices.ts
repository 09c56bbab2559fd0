/** What a person chose last, kept by the browser for the same person and workspace. */
import { readJson, writeChoice } from './flags.ts';
import { ownerNow } from './queries.ts';
import { type Choices, type LastChoices, noChoices, withChoices } from './rules/choices.ts';

const keyOf = (owner: string) => `choices ${owner}`;

export function lastChoices(): LastChoices {
  const owner = ownerNow();
  return { ...noChoices, ...(owner !== null && readJson<LastChoices>(keyOf(owner))) };
}

export function keepChoices(appId: string, accountId: string, choices?: Choices): void {
  const owner = ownerNow();
  if (owner === null) return;
  writeChoice(keyOf(owner), JSON.stringify(withChoices(lastChoices(), appId, accountId, choices)));
}
