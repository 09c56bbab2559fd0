import { expect, it } from 'vitest';
import { likelyAccount, likelyAccounts, noChoices, withChoices } from './choices.ts';

const account = (id: string, appId: string | null = null, status = 'connected') => ({ id, appId, status });
const draft = { mode: 'draft', hasMusic: true } as const;
const idOf = (accounts: ReturnType<typeof account>[], last = noChoices) =>
  likelyAccount(accounts, 'app', last)?.id ?? null;

it('a deck goes to the last account that was used, else to the only one', () => {
  const both = [account('one'), account('two')];
  expect(idOf(both)).toBeNull();
  expect(idOf(both, withChoices(noChoices, 'app', 'two', draft))).toBe('two');
  expect(idOf([account('one')])).toBe('one');
  expect(idOf([])).toBeNull();
});

it('the last account of another app says nothing: each that may take the deck is offered', () => {
  const both = [account('one'), account('two')];
  const last = withChoices(noChoices, 'other app', 'two', draft);
  expect(idOf(both, last)).toBeNull();
  expect(likelyAccounts(both, 'app', last)).toEqual(both);
  expect(likelyAccounts(both, 'other app', last)).toEqual([both[1]]);
});

it('an account of another app or without a connection is passed over, also if it was the last', () => {
  const accounts = [account('gone', null, 'needs_reauth'), account('other', 'app2'), account('own', 'app')];
  for (const last of ['gone', 'other'])
    expect(idOf(accounts, withChoices(noChoices, 'app', last, draft))).toBe('own');
});

it('each account keeps its own choices', () => {
  const publish = { mode: 'publish', hasMusic: false } as const;
  const both = withChoices(withChoices(noChoices, 'app', 'one', draft), 'app', 'two', publish);
  expect(both).toEqual({ accountOf: { app: 'two' }, of: { one: draft, two: publish } });
});
