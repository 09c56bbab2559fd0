import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createDownloads, downloadsPerAddress, paced } from './downloads.ts';

const codeOf = (act: () => unknown): unknown => {
  try {
    act();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
it('bounds the downloads of a workspace and of an address', () => {
  const { begin } = createDownloads(address => address === 'proxy');
  const end = begin('acct_1', 'a');
  expect(codeOf(() => begin('acct_1', 'b'))).toBe('rate_limited');
  for (let n = 1; n < downloadsPerAddress; n += 1) begin(`acct_a${n}`, 'a');
  expect(codeOf(() => begin('acct_2', 'a'))).toBe('rate_limited');
  end();
  begin('acct_2', 'a');
  for (let n = 0; n < 9; n += 1) begin(`acct_p${n}`, 'proxy');
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
