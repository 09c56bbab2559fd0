import { describe, expect, it } from 'vitest';
import { noChoices } from './choices.ts';
import { planDecks, takersOf } from './plan.ts';

const account = (id: string, appId: string | null = null, slots = 1) => ({
  id,
  appId,
  status: 'connected',
  slots: Array.from({ length: slots }, () => ({ time: '09:00' })),
});
const deck = (id: string, appId = 'app') => ({ id, appId });
const summary = (plan: ReturnType<typeof planDecks>) =>
  plan.map(({ deck, to }) => [deck.id, to && `${to.account.id} ${to.at}`]);

describe('the accounts that take decks', () => {
  it('are connected, have slots and fit an app; the one used last comes first', () => {
    const accounts = [
      account('a'),
      account('without slots', null, 0),
      { ...account('ended'), status: 'expired' },
      account('of another app', 'other'),
      account('b', 'app'),
    ];
    const ids = (last: string) =>
      takersOf(accounts, [deck('1')], { ...noChoices, accountId: last }).map(({ id }) => id);
    expect(ids('')).toEqual(['a', 'b']);
    expect(ids('b')).toEqual(['b', 'a']);
    expect(ids('of another app')).toEqual(['a', 'b']);
  });
});

describe('a plan', () => {
  it('gives each deck in turn the next free slot', () => {
    const slots = new Map([['a', ['mon', 'tue', 'wed']]]);
    expect(summary(planDecks([deck('2'), deck('1')], [account('a')], slots))).toEqual([
      ['2', 'a mon'],
      ['1', 'a tue'],
    ]);
  });

  it('takes another account for a deck of an app that the first does not post for', () => {
    const slots = new Map([
      ['a', ['mon', 'tue']],
      ['b', ['sun']],
    ]);
    const takers = [account('a', 'app'), account('b')];
    expect(summary(planDecks([deck('1'), deck('2', 'other'), deck('3')], takers, slots))).toEqual([
      ['1', 'a mon'],
      ['2', 'b sun'],
      ['3', 'a tue'],
    ]);
  });

  it('leaves out a deck that no account takes, and those beyond the last free slot', () => {
    const slots = new Map([['a', ['mon']]]);
    const decks = [deck('1', 'other'), deck('2'), deck('3')];
    expect(summary(planDecks(decks, [account('a', 'app')], slots))).toEqual([
      ['1', null],
      ['2', 'a mon'],
      ['3', null],
    ]);
  });
});
