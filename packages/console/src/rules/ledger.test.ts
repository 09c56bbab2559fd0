import { expect, it } from 'vitest';
import { ledgerGroups } from './ledger.ts';

it('decks are together by app, also those that are deleted, and each grant is by itself', () => {
  const rows = [
    { id: 'a', amount: -1, contentId: 'content_1', deck: { appId: 'app_1' } },
    { id: 'b', amount: 25, contentId: null },
    { id: 'c', amount: -1, contentId: 'content_2', deck: { appId: 'app_1' } },
    { id: 'd', amount: -1, contentId: 'content_3' },
    { id: 'e', amount: 25, contentId: null },
  ];
  const groups = ledgerGroups(rows);
  expect(groups.map(({ key, rows, amount }) => [key, rows.length, amount])).toEqual([
    ['app_1', 2, -2],
    ['b', 1, 25],
    ['', 1, -1],
    ['e', 1, 25],
  ]);
});
