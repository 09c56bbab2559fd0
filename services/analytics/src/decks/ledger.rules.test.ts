import { describe, expect, it } from 'vitest';
import { type CountedDeck, compareDecks, decksNeeded, ledgerOf } from './ledger.rules.ts';

type Deck = CountedDeck & { kind: string };

/** Uniform numbers, the same for a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;
const gauss = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** How views of one account's posts scatter, in logarithms. */
const noises = {
  'log-normal': gauss,
  'heavy-tailed (t with 3 degrees)': (random: Random) => {
    const squares = [gauss(random), gauss(random), gauss(random)].map(one => one ** 2);
    return (0.9 * gauss(random)) / Math.sqrt(squares.reduce((sum, one) => sum + one) / 3);
  },
  'with one post in twenty that goes viral': (random: Random) =>
    gauss(random) + (random() < 0.05 ? 3 + 2 * random() : 0),
};

/** Posts of a workspace with three accounts, one of which may have ten times the views of another. */
function simulate(
  seed: number,
  kinds: number,
  posts: number,
  noise: (random: Random) => number,
  lift: number,
) {
  const random = createRandom(seed);
  const best = Math.floor(random() * kinds);
  const accounts = [0, 1, 2].map(() => gauss(random));
  const decks = Array.from({ length: posts }, (_, at): Deck => {
    const kind = Math.floor(random() * kinds);
    const account = Math.floor(random() * accounts.length);
    const level = 6 + accounts[account]! + (kind === best ? Math.log(lift) : 0) + noise(random);
    return { ...deckOf(at, Math.floor(Math.exp(level))), tiktokAccountId: `${account}`, kind: `${kind}` };
  });
  const rows = compareDecks(decks, kindsOf(decks));
  return { best: `${best}`, winners: rows.filter(row => row.verdict === 'better').map(row => row.value) };
}

function deckOf(at: number, views: number): CountedDeck {
  return { contentId: `content_${at}`, appId: 'app', tiktokAccountId: 'account', views };
}

const kindsOf = (decks: readonly Deck[]) => decks.map(({ kind }) => kind);

function share<T>(values: readonly T[], isCounted: (value: T) => boolean): number {
  return values.filter(isCounted).length / values.length;
}

const seeds = Array.from({ length: 200 }, (_, at) => at * 7919);
const cases = Object.entries(noises).flatMap(([name, noise]) => [
  { name, noise, kinds: 3, posts: 240 },
  { name, noise, kinds: 5, posts: 400 },
]);

describe('a simulated workspace', () => {
  it.each(cases)(
    '$name, $posts posts: of $kinds kinds the one with twice the views is found in 90 %',
    given => {
      const runs = seeds.map(seed => simulate(seed, given.kinds, given.posts, given.noise, 2));
      expect(share(runs, run => run.winners.join() === run.best)).toBeGreaterThanOrEqual(0.9);
    },
  );

  it.each(cases.flatMap(one => [36, 84, 168, one.posts].map(posts => ({ ...one, posts }))))(
    '$name, $posts posts: of $kinds alike kinds one is called better in 5 % at most',
    given => {
      const runs = seeds.map(seed => simulate(seed, given.kinds, given.posts, given.noise, 1));
      expect(share(runs, run => run.winners.length > 0)).toBeLessThanOrEqual(0.05);
    },
  );

  it.each([
    { accounts: 60, posts: 2 },
    { accounts: 40, posts: 4 },
  ])(
    '$accounts accounts with $posts posts each: the interval of twice the views misses it in 5 % at most',
    ({ accounts, posts }) => {
      const misses = seeds.map(seed => {
        const random = createRandom(seed);
        const decks = Array.from({ length: accounts * posts }, (_, at): Deck => {
          const kind = Math.floor(random() * 2);
          const views = Math.floor(Math.exp(6 + gauss(random) + kind * Math.LN2));
          return { ...deckOf(at, views), tiktokAccountId: `${at % accounts}`, kind: `${kind}` };
        });
        const { low, high } = compareDecks(decks, kindsOf(decks)).find(({ value }) => value === '1')!;
        return low > 2 || high < 2;
      });
      expect(share(misses, isMiss => isMiss)).toBeLessThanOrEqual(0.05);
    },
  );

  it.each(cases.filter(({ kinds }) => kinds === 3))(
    '$name: of two alike kinds with a post each on 60 accounts, one is called better in 5 % at most',
    ({ noise }) => {
      const runs = seeds.map(seed => {
        const random = createRandom(seed);
        const decks = Array.from({ length: 120 }, (_, at): Deck => {
          const views = Math.floor(Math.exp(6 + noise(random)));
          return { ...deckOf(at, views), tiktokAccountId: `${at >> 1}`, kind: `${at & 1}` };
        });
        return compareDecks(decks, kindsOf(decks));
      });
      expect(share(runs, rows => rows[0]?.verdict === 'better')).toBeLessThanOrEqual(0.05);
    },
  );

  it.each(cases.flatMap(one => [one, { ...one, kinds: 2 }]))(
    '$name: as many of $kinds kinds as are needed find a twofold difference in about half of the runs',
    ({ kinds, noise }) => {
      const runs = seeds.map(seed => simulate(seed, kinds, kinds * decksNeeded(kinds), noise, 2));
      const found = share(runs, run => run.winners.join() === run.best);
      expect(found).toBeGreaterThan(0.3);
      expect(found).toBeLessThan(0.75);
    },
  );

  it.each(cases)('$name, 12 posts: of $kinds kinds another than the best is called better in 1 %', given => {
    const runs = seeds.map(seed => simulate(seed, given.kinds, 12, given.noise, 2));
    expect(share(runs, run => run.winners.some(one => one !== run.best))).toBeLessThanOrEqual(0.01);
  });
});

describe('compareDecks', () => {
  const groupsOf = (groups: Record<string, number[]>) =>
    Object.entries(groups).flatMap(([kind, views]) =>
      views.map((count, at): Deck => ({ ...deckOf(at, count), contentId: `${kind}_${at}`, kind })),
    );
  const rowsOf = (groups: Record<string, number[]>) => {
    const decks = groupsOf(groups);
    return compareDecks(decks, kindsOf(decks));
  };

  it('answers nothing for nothing', () => {
    expect(rowsOf({})).toEqual([]);
  });

  it('has no winner after twelve views', () => {
    const [first] = rowsOf({ a: [12, 12, 12, 12, 12, 12], b: [0, 0, 0, 0, 0, 0] });
    expect(first).toMatchObject({ value: 'a', decks: 6, views: 72, verdict: 'too_early' });
  });

  it('has no winner after four decks, however many views', () => {
    const rows = rowsOf({ a: [9e5, 9e5, 9e5, 9e5], b: Array(30).fill(100) });
    expect(rows.find(({ value }) => value === 'a')?.verdict).toBe('too_early');
  });

  it('shows what decks of all others have in common as no different from themselves', () => {
    expect(rowsOf({ a: Array(60).fill(1000) })).toMatchObject([
      { lift: 1, typicalViews: 1000, verdict: 'too_early' },
    ]);
  });

  it('says of a typical deck of a kind what such decks have', () => {
    const rows = rowsOf({ a: Array(90).fill(2000), b: Array(90).fill(1000), c: Array(180).fill(500) });
    const typical = rows.map(({ value, typicalViews }) => [value, Math.round(typicalViews / 100) * 100]);
    expect(typical).toEqual([
      ['a', 2000],
      ['b', 1000],
      ['c', 500],
    ]);
  });

  it('has no typical deck of fewer than 0 views', () => {
    const unseen = groupsOf({ a: Array(100).fill(0) }).map(deck => ({ ...deck, tiktokAccountId: 'unseen' }));
    const decks = [...unseen, ...groupsOf({ a: Array(20).fill(1e5), b: Array(20).fill(0) })];
    const rows = compareDecks(decks, kindsOf(decks));
    expect(rows.find(({ value }) => value === 'b')?.typicalViews).toBe(0);
  });

  it('rules a twofold difference out where many decks are alike', () => {
    const views = Array.from({ length: 120 }, (_, at) => 500 + 37 * (at % 11));
    expect(rowsOf({ a: views, b: views }).map(({ verdict }) => verdict)).toEqual([
      'no_difference',
      'no_difference',
    ]);
  });

  it('draws the estimate of one deck closer to the others than that of ten', () => {
    const others = Array(40).fill(1000);
    const [one] = rowsOf({ a: [4000], b: others });
    const [ten] = rowsOf({ a: Array(10).fill(4000), b: others });
    expect(one!.lift).toBeGreaterThan(1);
    expect(one!.lift).toBeLessThan(ten!.lift);
  });

  it('learns nothing from accounts with one post', () => {
    const decks = groupsOf({
      a: Array.from({ length: 30 }, (_, at) => 900 * (1 + (at % 7))),
      b: [100, 200, 300, 600, 900],
    });
    const lone = Array.from({ length: 60 }, (_, at): Deck => {
      return { ...deckOf(at, 1000 + at), tiktokAccountId: `${at}`, kind: 'ab'[at % 2]! };
    });
    const [few, many] = [decks, [...decks, ...lone]].map(all =>
      compareDecks(all, kindsOf(all)).map(({ value, lift, low }) => [value, lift, low]),
    );
    expect(many).toEqual(few);
  });

  it('does not credit a kind with the account that it was posted to', () => {
    const decks = groupsOf({ a: Array(40).fill(50_000), b: Array(40).fill(500) });
    const rows = compareDecks(
      decks.map(deck => ({ ...deck, tiktokAccountId: deck.kind })),
      kindsOf(decks),
    );
    expect(rows.map(({ verdict }) => verdict)).not.toContain('better');
  });
});

describe('ledgerOf', () => {
  it('has a row for each value of each kind, with weekday and hour in the zone', () => {
    const deck = {
      ...deckOf(1, 1000),
      ...{ hook: 'One', archetype: 'listicle', templateId: null, language: 'en' },
      postedAtMs: Date.parse('2026-11-22T23:30:00Z'),
    };
    const rows = ledgerOf([deck], 'Europe/Berlin');
    expect(rows.map(({ of, value }) => [of, value])).toEqual([
      ['hook', 'One'],
      ['form', 'short'],
      ['archetype', 'listicle'],
      ['language', 'en'],
      ['weekday', 'monday'],
      ['hour', '00'],
    ]);
    expect(ledgerOf([{ ...deck, postedAtMs: null }], 'UTC').map(({ of }) => of)).not.toContain('hour');
  });
});
