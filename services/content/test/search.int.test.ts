/** Contents are found by their words, by the caller's own id, and by when they were made. */
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(() => startContent({ env: { SIGNUP_CREDITS: '100' } }));
const [mine, other] = [testCaller(), testCaller()];
const decks = {
  sleep: {
    hook: 'Nobody told me sleep is a skill',
    slides: [
      'Dim every lamp at nine',
      'Leave the iPhone/iPad outside, 24/7',
      'Sleep.Then 20-30 pebblo.app/now -15%',
    ],
  },
  coffee: {
    hook: '3 coffee rules from a barista',
    slides: ['Grind it fresh', 'Rinse the filter', 'Wait a minute'],
  },
  japanese: { hook: '完全無料で使えるアプリ3選', slides: ['iPhone15を使う', '毎日5分', '予定を見る'] },
  umlaut: { hook: 'Schlaf ist Übungssache', slides: ['Das Handy bleibt draußen', 'Um neun wird es dunkel'] },
};
const ids: Record<string, string> = {};
type Row = { id: string; createdAt: string };

async function make(caller: typeof mine, name: keyof typeof decks, own: object = {}): Promise<Row> {
  const appId = await under.importApp(caller);
  const { hook, slides } = decks[name];
  const brief = { hook, slides: slides.map(text => ({ text })) };
  const made = await under.create(caller, { appId, type: 'slideshow', brief, ...own });
  expect(made.status, made.text).toBe(201);
  return dataOf<Row>(made);
}

async function find(query: string, caller = mine): Promise<string[]> {
  const answer = await under.service.call('GET', `/v1/content?${query}`, { caller });
  expect(answer.status, answer.text).toBe(200);
  return dataOf<Row[]>(answer).map(({ id }) => Object.keys(ids).find(name => ids[name] === id) ?? id);
}

beforeAll(async () => {
  for (const name of ['japanese', 'sleep', 'coffee', 'umlaut'] as const) {
    ids[name] = (await make(mine, name, name === 'coffee' ? { externalId: 'sheet row 7' } : {})).id;
  }
  await make(other, 'sleep', { externalId: 'sheet row 7' });
});

describe('GET /v1/content', () => {
  it.each([
    ['q=skill', ['sleep']],
    ['q=SLEEP%20nobody', ['sleep']],
    ['q=ski', ['sleep']],
    ['q=lamp', ['sleep']],
    ['q=phone%20coffee', []],
    ['q=ipad', ['sleep']],
    ['q=24%2F7', ['sleep']],
    ['q=pebblo.app%20then%2030%2015', ['sleep']],
    ['q=%C3%BCbung', ['umlaut']],
    ['q=u%CC%88bung', ['umlaut']],
    [`q=${encodeURIComponent('使えるアプリ')}`, ['japanese']],
    [`q=${encodeURIComponent('アプリ 毎日')}`, ['japanese']],
    [`q=${encodeURIComponent('iPhone15を使')}`, ['japanese']],
    [`q=${encodeURIComponent('料無')}`, []],
    ['q=9%20%26%20%7C%20!%20(%20%27%3A*', []],
    ['q=!!!', []],
    ['q=%C2%BD', []],
    ['q=%C2%BD%20lamp', ['sleep']],
    ['q=position', []],
    ['externalId=sheet%20row%207', ['coffee']],
    ['externalId=sheet%20row%208', []],
    ['externalId=sheet%20row%207&q=skill', []],
  ])('?%s finds %j, and nothing of another account', async (query, found) => {
    expect(await find(query)).toEqual(found);
  });

  it('?ids finds those of the account, newest first', async () => {
    const foreign = dataOf<Row[]>(await under.service.call('GET', '/v1/content', { caller: other }))[0]?.id;
    const asked = [ids.sleep, foreign, ids.umlaut, 'content_unknown'].join();
    expect(await find(`ids=${asked}`)).toEqual(['umlaut', 'sleep']);
    expect(await find(`ids=${asked}&q=skill`)).toEqual(['sleep']);
    const many = Array.from({ length: 101 }, (_, n) => `content_${n}`).join();
    for (const wrong of ['', ',', `${ids.sleep},`, many, 'content%201']) {
      const answer = await under.service.call('GET', `/v1/content?ids=${wrong}`, { caller: mine });
      expect([answer.status, messageOf(answer)]).toEqual([
        400,
        'ids must be 1 to 100 ids, separated by commas',
      ]);
    }
  });

  it('?createdFrom&createdTo lists what was made from the first to before the second, in pages', async () => {
    const { data } = (await under.service.call('GET', `/v1/content/${ids.coffee}`, { caller: mine }))
      .body as {
      data: Row;
    };
    const at = encodeURIComponent(data.createdAt);
    expect(await find(`createdFrom=${at}`)).toEqual(['umlaut', 'coffee']);
    // Postgres knows no such offset.
    expect(await find('createdTo=1613-07-30T18:42:59-22:51')).toEqual([]);
    expect(await find(`createdTo=${at}`)).toEqual(['sleep', 'japanese']);
    const first = await under.service.call('GET', `/v1/content?createdFrom=${at}&limit=1`, { caller: mine });
    const { nextCursor } = first.body as { nextCursor: string };
    expect(await find(`createdFrom=${at}&limit=1&cursor=${nextCursor}`)).toEqual(['coffee']);
  });

  it('reads few rows of a word that others use a lot', async () => {
    const { db } = under.service;
    await db.query(
      `insert into contents select r.* from contents c, generate_series(1, 5000) n,
         lateral jsonb_populate_record(c, jsonb_build_object('id', 'content_copy_' || n, 'account_id', 'acct_many')) r
       where c.id = $1`,
      [ids.sleep],
    );
    await db.query('analyze contents');
    const startedAt = performance.now();
    expect(await find('q=skill')).toEqual(['sleep']);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    await db.query(`delete from contents where account_id = 'acct_many'`);
  });
});

describe('externalId and metadata', () => {
  it('are answered, listed and approved as given, absent where none was', async () => {
    const own = { externalId: 'row-1', metadata: { campaign: 'autumn', sheet: 'https://example.com/1' } };
    const made = await make(mine, 'sleep', own);
    expect(made).toMatchObject(own);
    const approved = await under.service.call('POST', `/v1/content/${made.id}/approve`, {
      caller: mine,
      body: {},
    });
    expect(dataOf(approved)).toMatchObject(own);
    const without = await under.service.call('GET', `/v1/content/${ids.sleep}`, { caller: mine });
    expect(dataOf(without)).toMatchObject({ externalId: null, metadata: null });
    await eventually(() => {
      const approvals = under.service.published.filter(({ key }) => key === made.id);
      expect(approvals.map(({ value }) => String(value)).join()).toContain('"campaign":"autumn"');
    });
  });

  it.each([
    ['externalId', { externalId: 'x'.repeat(201) }],
    ['externalId', { externalId: ' ' }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`n${at}`, 'x'])) }],
    ['metadata.n', { metadata: { n: 'x'.repeat(501) } }],
    ['metadata.'.concat('n'.repeat(41)), { metadata: { ['n'.repeat(41)]: 'x' } }],
    ['metadata.n', { metadata: { n: '\u0000' } }],
    ['metadata.n', { metadata: { n: 1 } }],
  ])('400 naming %s for %j', async (field, own) => {
    const appId = await under.importApp(mine);
    const answer = await under.create(mine, { appId, type: 'slideshow', ...own });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(messageOf(answer)).toMatch(new RegExp(`^${field} `));
  });
});
