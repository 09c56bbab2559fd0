import { expect, it } from 'vitest';
import { createDownloads, downloadsMax, downloadsPerAddress } from './downloads.ts';

const codeOf = (act: () => unknown): unknown => {
  try {
    act();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it('bounds the downloads of a workspace, of an address and of all', () => {
  const { begin } = createDownloads(address => address === 'proxy');
  const end = begin('acct_1', 'a');
  expect(codeOf(() => begin('acct_1', 'b'))).toBe('rate_limited');
  for (let n = 1; n < downloadsPerAddress; n += 1) begin(`acct_a${n}`, 'a');
  expect(codeOf(() => begin('acct_2', 'a'))).toBe('rate_limited');
  for (let n = downloadsPerAddress; n < downloadsMax; n += 1) begin(`acct_p${n}`, 'proxy');
  expect(codeOf(() => begin('acct_2', 'proxy'))).toBe('service_unavailable');
  end();
  expect(codeOf(() => begin('acct_2', 'proxy'))).toBeNull();
});
