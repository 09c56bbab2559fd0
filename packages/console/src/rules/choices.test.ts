import { expect, it } from 'vitest';
import { likelyAccount, noChoices, withChoices } from './choices.ts';

const account = (id: string, appId: string | null = null, status = 'connected') => ({ id, appId, status });
const draft = { mode: 'draft', hasMusic: true } as const;
const idOf = (accounts: ReturnType<typeof account>[], last = noChoices) =>
  likelyAccount(accounts, 'app', last)?.id ?? null;

it('a deck goes to the last account that was used, else to the only one', () => {
  const both = [account('one'), account('two')];
  expect(idOf(both)).toBeNull();
  expect(idOf(both, withChoices(noChoices, 'two', draft))).toBe('two');
  expect(idOf([account('one')])).toBe('one');
  expect(idOf([])).toBeNull();
});

it('an account of another app or without a connection is passed over, also if it was the last', () => {
  const accounts = [account('gone', null, 'needs_reauth'), account('other', 'app2'), account('own', 'app')];
  for (const last of ['gone', 'other'])
    expect(idOf(accounts, withChoices(noChoices, last, draft))).toBe('own');
});

it('each account keeps its own choices', () => {
  const publish = { mode: 'publish', hasMusic: false } as const;
  const both = withChoices(withChoices(noChoices, 'one', draft), 'two', publish);
  expect(both).toEqual({ accountId: 'two', of: { one: draft, two: publish } });
});
