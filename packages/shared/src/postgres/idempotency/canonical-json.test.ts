import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from './idempotency.ts';

/** The function that the fingerprints of stored rows were made with. */
function reference(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(reference).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${reference(item)}`).join(',')}}`;
}

it('makes of every body the text that stored fingerprints were made of', () => {
  const body = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' });
  fc.assert(
    fc.property(body, value => {
      const parsed = JSON.parse(JSON.stringify(value)) as unknown;
      expect(canonicalJson(parsed)).toBe(reference(parsed));
    }),
    { numRuns: 2_000 },
  );
});

it('sorts the names of an object however many there are', () => {
  const names = Array.from({ length: 500 }, (_, i) => `name${(i * 7919) % 500}`);
  const wide = Object.fromEntries(names.map((name, i) => [name, i]));
  expect(canonicalJson(wide)).toBe(reference(wide));
});

it('is text where there is no body', () => {
  expect(canonicalJson(undefined)).toBe('null');
  expect(canonicalJson({ b: [undefined, 'x"'], a: { d: 1e21, c: true } })).toBe(
    '{"a":{"c":true,"d":1e+21},"b":[null,"x\\""]}',
  );
});
