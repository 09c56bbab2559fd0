import { describe, expect, it } from 'vitest';
import { planDecks, takersOf } from './plan.ts';

const account = (id: string, appId: string | null = null, slots = 1) => ({
  id,
  appId,
  status: 'connected',
  slots: Array.from({ length: slots }, () => ({ time: '09:00' })),
});
const deck = (id: string, appId = 'app') => ({
  id,
  appId,
  experimentId: null as string | null,
  result: null,
});
const summary = (plan: ReturnType<typeof planDecks>) =>
  plan.map(({ deck, to }) => [deck.id, to && `${to.account.id} ${to.at}`]);

it('the accounts that take decks of an app are connected, have slots and fit it', () => {
  const accounts = [
    account('a'),
    account('without slots', null, 0),
    { ...account('ended'), status: 'expired' },
    account('of another app', 'other'),
    account('b', 'app'),
  ];
  expect(takersOf(accounts, 'app').map(({ id }) => id)).toEqual(['a', 'b']);
});

describe('a plan', () => {
  const slots = new Map([
    ['a', ['mon', 'tue', 'wed']],
    ['b', ['sun']],
  ]);
  const planned = (decks: ReturnType<typeof deck>[], accountOf: Record<string, string>) =>
    summary(
      planDecks(
        decks,
        appId => {
          const id = accountOf[appId];
          return id === undefined ? [] : [account(id)];
        },
        slots,
      ),
    );

  it('gives each deck in turn the next free slot', () => {
    expect(planned([deck('2'), deck('1')], { app: 'a' })).toEqual([
      ['2', 'a mon'],
      ['1', 'a tue'],
    ]);
  });

  it('has an account for each app, and apps of one account share its slots', () => {
    const decks = [deck('1'), deck('2', 'other'), deck('3')];
    expect(planned(decks, { app: 'a', other: 'b' })).toEqual([
      ['1', 'a mon'],
      ['2', 'b sun'],
      ['3', 'a tue'],
    ]);
    expect(planned(decks, { app: 'a', other: 'a' })).toEqual([
      ['1', 'a mon'],
      ['2', 'a tue'],
      ['3', 'a wed'],
    ]);
  });

  it('leaves out a deck of an app without an account, and those beyond the last free slot', () => {
    expect(planned([deck('1', 'other'), deck('2'), deck('3')], { app: 'b' })).toEqual([
      ['1', null],
      ['2', 'b sun'],
      ['3', null],
    ]);
  });

  it('gives a chosen slot to its deck, and the others the next ones', () => {
    const wishes = new Map([
      ['2', 'a mon'],
      ['left out', 'a tue'],
    ]);
    expect(summary(planDecks([deck('1'), deck('2')], () => [account('a')], slots, [], wishes))).toEqual([
      ['1', 'a tue'],
      ['2', 'a mon'],
    ]);
  });

  it('spreads decks over accounts, and never gives two copies of a compared deck to one', () => {
    const compared = (id: string, text: string) => ({
      ...{ id, appId: 'app', experimentId: 'experiment', result: { bodySlides: [{ text }] } },
    });
    const slots = new Map(['a', 'b'].map(id => [id, ['mon', 'tue', 'wed']]));
    const plan = (decks: ReturnType<typeof compared>[], busy: string[] = []) =>
      planDecks(decks, () => [account('a'), account('b')], slots, busy).map(
        ({ to }) => to && `${to.account.id} ${to.at}`,
      );
    const copies = ['1', '2', '3'].map(id => compared(id, 'the same'));
    expect(plan(copies)).toEqual(['a mon', 'b mon', null]);
    expect(plan(copies.slice(1), ['a'])).toEqual(['b mon', 'a mon']);
    expect(plan(['1', '2', '3'].map(id => compared(id, id)))).toEqual(['a mon', 'b mon', 'a tue']);
  });
});
