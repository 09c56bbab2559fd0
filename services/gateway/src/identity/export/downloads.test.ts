import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createDownloads, downloadsMax, downloadsPerAddress, paced } from './downloads.ts';

const codeOf = (act: () => unknown): unknown => {
  try {
    act();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
function started() {
  const downloads = createDownloads(address => address === 'proxy');
  const cut: string[] = [];
  const begin = (accountId: string, address: string) =>
    downloads.begin(accountId, address, () => cut.push(accountId));
  return { begin, cut };
}

it('bounds the downloads of a workspace, of an address and of all', () => {
  const { begin, cut } = started();
  const end = begin('acct_1', 'a');
  expect(codeOf(() => begin('acct_1', 'b'))).toBe('rate_limited');
  for (let n = 1; n < downloadsPerAddress; n += 1) begin(`acct_a${n}`, 'a');
  expect(codeOf(() => begin('acct_2', 'a'))).toBe('rate_limited');
  end();
  for (let n = 1; n < downloadsMax; n += 1) begin(`acct_p${n}`, 'proxy');
  expect(codeOf(() => begin('acct_2', 'proxy'))).toBe('service_unavailable');
  expect(cut).toEqual([]);
});

it('ends the second download of an address for one of an address that has none', () => {
  const { begin, cut } = started();
  begin('acct_1', 'a');
  const endSecond = begin('acct_2', 'a');
  begin('acct_3', 'b');
  begin('acct_4', 'b');
  begin('acct_5', 'c');
  expect(cut).toEqual(['acct_2']);
  expect(codeOf(() => begin('acct_2', 'a'))).toBe('service_unavailable');
  begin('acct_2', 'd');
  endSecond();
  expect([cut, codeOf(() => begin('acct_2', 'e'))]).toEqual([['acct_2', 'acct_4'], 'rate_limited']);
});

it('ends a download that nobody reads, and not one whose archive is slow', async () => {
  let cuts = 0;
  async function* archive() {
    for (let n = 0; n < 3; n += 1) {
      await delay(60);
      yield Buffer.from('x');
    }
  }
  const read = () => Readable.from(paced(archive(), () => (cuts += 1), 40));
  expect(await read().toArray()).toHaveLength(3);
  expect(cuts).toBe(0);
  const unread = read();
  unread.read(0);
  await delay(250);
  expect(cuts).toBe(1);
  unread.destroy();
});
