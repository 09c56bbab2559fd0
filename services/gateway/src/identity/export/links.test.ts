import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createExportLinks } from './links.ts';

const key = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) });
const [current, older, pair, other] = [
  key('gateway.2'),
  key('gateway'),
  key('gateway.to-content'),
  key('content'),
];
const links = createExportLinks('https://a.example', [pair, current, older, other]);
const signatureBy = (ring: Parameters<typeof createExportLinks>[1]) =>
  new URL(createExportLinks('https://a.example', ring).url('export_1')).searchParams.get('s') ?? '';

it('a link is valid when a gateway signed it, with its current key or an older one', () => {
  const { pathname, searchParams } = new URL(links.url('export_1'));
  expect([pathname, searchParams.get('s')]).toEqual(['/media/exports/export_1', signatureBy([current])]);
  expect(links.isValid('export_1', signatureBy([current]))).toBe(true);
  expect(links.isValid('export_1', signatureBy([older]))).toBe(true);
  expect(links.isValid('export_2', signatureBy([current]))).toBe(false);
});

it('the receiver of a call, which holds the key of its pair, can sign none', () => {
  const forged = signatureBy([{ ...pair, id: 'gateway' }]);
  expect(links.isValid('export_1', forged)).toBe(false);
});
