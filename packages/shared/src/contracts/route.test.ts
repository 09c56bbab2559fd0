import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allRoutes } from './all-routes.ts';
import { contentRoute } from './route.ts';

const bare = {
  id: 'getThing',
  scopes: [],
  summary: 'Get a thing',
  description: 'The thing.',
  response: z.object({ name: z.string() }),
} as const;
const { description: _, ...undescribed } = bare;
const { scopes: __, ...unscoped } = bare;
const example = { response: { name: 'x' } };

/** Checked by the compiler, which reports an expected error that does not occur. */
export const mustNotCompile = [
  // @ts-expect-error: no method
  () => contentRoute('/things', { ...bare, example }),
  // @ts-expect-error: a key without its scopes
  () => contentRoute('GET /things', { ...unscoped, example }),
  // @ts-expect-error: no example
  () => contentRoute('GET /things', bare),
  // @ts-expect-error: no description
  () => contentRoute('GET /things', { ...undescribed, example }),
  // @ts-expect-error: no example of the response
  () => contentRoute('GET /things', { ...bare, example: {} }),
  // @ts-expect-error: an example that is no such response
  () => contentRoute('GET /things', { ...bare, example: { response: { name: 1 } } }),
  // @ts-expect-error: an example of a body that the route does not take
  () => contentRoute('GET /things', { ...bare, example: { ...example, body: {} } }),
];

describe.each(allRoutes.map(route => [route.id, route] as const))('%s', (_, route) => {
  it('has a description in sentences', () => {
    expect(route.description).toMatch(/^[A-Z`].+[.)]$/s);
  });

  it('describes every parameter', () => {
    for (const schema of [route.params, route.query]) {
      const { shape = {} } = (schema ?? {}) as { shape?: Record<string, z.ZodType> };
      for (const [name, field] of Object.entries(shape)) {
        expect([name, field.meta()?.description]).toEqual([name, expect.stringMatching(/\.$/)]);
      }
    }
  });

  it('has examples that its schemas accept', () => {
    const { body, response } = route.example;
    // Parsed and unchanged: the schema knows every field.
    if (route.body) expect(route.body.parse(body)).toEqual(body);
    if (route.response) expect(route.response.parse(response)).toEqual(response);
  });
});
