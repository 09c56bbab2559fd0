import { dayMs } from '@hookline/shared/kernel/durations';
import { describe, expect, it } from 'vitest';
import { isOver, judgeHooks } from './judge.rules.ts';
import type { ExperimentDeck } from './record.ts';

const start = { id: 'experiment_1', appId: 'product_1', startedAt: new Date('2026-11-01T09:00:00Z') };
function judge(decks: readonly ExperimentDeck[], earlier: readonly ExperimentDeck[] = [], afterDays = 7) {
  const now = new Date(start.startedAt.getTime() + afterDays * dayMs);
  const counted = earlier.map(deck => ({ ...deck, appId: start.appId, views: deck.views ?? 0 }));
  return judgeHooks(start, decks, isOver(start, decks, now) ? counted : null);
}

const deck = (at: number, hook: string, views: number | null, more: Partial<ExperimentDeck> = {}) => ({
  ...{
    contentId: `content_${at}`,
    readAfterHours: 48,
    hook,
    views,
    isEdited: false,
    isRejected: false,
    isRepeated: false,
  },
  tiktokAccountId: `account_${at}`,
  ...more,
});
/** Three earlier decks of each of so many accounts, of which each has its own usual views. */
const earlier = (accounts: number) =>
  Array.from({ length: accounts * 3 }, (_, at) => {
    const account = at % accounts;
    const views = 400 * (1 + (account % 5)) + 10 * at;
    return { ...deck(1000 + at, 'before', views), tiktokAccountId: `account_${account}` };
  });

describe('judgeHooks', () => {
  it('says nothing while a post has no views, and how many have none', () => {
    const said = judge([deck(0, 'A', 900), deck(1, 'B', null)], earlier(2));
    expect(said).toMatchObject({ isFinal: false, hooks: [] });
    expect(said.verdict).toBe('1 of 2 posts have no views of 48 h yet.');
  });

  it('closes 90 days after the start with the views that there are', () => {
    expect(judge([deck(0, 'A', 900), deck(1, 'B', null)], earlier(2), 91).isFinal).toBe(true);
  });

  it.each(['isEdited', 'isRejected'] as const)('ends where %s leaves one hook, and says why', left => {
    const ended = judge([deck(0, 'A', null), deck(1, 'B', null, { [left]: true })], earlier(2));
    expect(ended).toMatchObject({
      isFinal: true,
      decksNeeded: judge([deck(0, 'A', 1), deck(1, 'B', 1)]).decksNeeded,
    });
    expect(ended.verdict).toBe(
      'Nothing is left to compare: 1 of 2 decks were rejected, or edited since the start.',
    );
  });

  it('a rejected deck of several does not keep the others waiting', () => {
    const three = [deck(0, 'A', 900), deck(1, 'B', 100), deck(2, 'B', null, { isRejected: true })];
    expect(judge(three, earlier(3))).toMatchObject({
      isFinal: true,
      posts: [{}, {}, { leftOut: 'rejected' }],
    });
  });

  it('of one post per hook is too early, whatever the views, and names how many would do', () => {
    const said = judge([deck(0, 'A', 1_000_000), deck(1, 'B', 100)], earlier(2));
    expect(said).toMatchObject({ isFinal: true, hooks: [{ value: 'A' }, { value: 'B' }] });
    expect(said.hooks.every(({ verdict }) => verdict === 'too_early')).toBe(true);
    expect(said.verdict).toMatch(/^Too early to say: about 3\d decks of each hook .* a hook here has 1\.$/);
  });

  it('finds a hook with four times the views of the other, on accounts of different size', () => {
    const decks = Array.from({ length: 60 }, (_, at) => {
      const usual = 400 * (1 + (at % 5));
      return deck(at, at % 2 === 0 ? 'A' : 'B', at % 2 === 0 ? 2 * usual : usual / 2);
    });
    const said = judge(decks, earlier(60));
    expect(said.hooks[0]).toMatchObject({ of: 'hook', value: 'A', decks: 30, verdict: 'better' });
    expect(said.hooks[0]!.low).toBeGreaterThan(1);
    expect([said.hooks[0]!.contentIds[0], said.hooks[0]!.contentIds.length]).toEqual(['content_58', 20]);
    expect(said.verdict).toMatch(/^“A” brought .* times the views of the others; the truth is between/);
  });

  it('names the hook that brought less where the two others do as well as each other', () => {
    const decks = Array.from({ length: 120 }, (_, at) => {
      const usual = 400 * (1 + (at % 5));
      return deck(at, 'ABC'[at % 3]!, at % 3 === 0 ? usual / 4 : usual);
    });
    const said = judge(decks, earlier(120));
    expect(said.hooks.map(({ value, verdict }) => [value, verdict])).toContainEqual(['A', 'worse']);
    expect(said.verdict).toMatch(/^“A” brought 0\..* times the views of the others; the truth is between/);
  });

  it('leaves out what was edited, the same deck on one account, and a post without another to compare', () => {
    const decks = [
      deck(0, 'A', 900),
      deck(1, 'A', 900, { isEdited: true }),
      deck(2, 'B', 100, { tiktokAccountId: 'account_0', isRepeated: true }),
      deck(3, 'B', 100),
    ];
    const said = judge(decks, earlier(1));
    expect(said.posts.map(({ leftOut }) => leftOut)).toEqual([null, 'edited', 'same_deck', 'lone_post']);
    expect(said.hooks).toMatchObject([{ value: 'A', decks: 1 }]);
    expect(said.verdict).toContain('a hook here has 0.');
  });
});
