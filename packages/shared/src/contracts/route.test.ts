import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allRoutes } from './all-routes.ts';
import { defineRoute } from './route.ts';

const bare = {
  id: 'getThing',
  method: 'GET',
  path: '/things',
  service: 'content',
  auth: 'key',
  scopes: [],
  summary: 'Get a thing',
  status: 200,
  response: z.object({ name: z.string() }),
  errors: [],
} as const;

/** Checked by the compiler, which reports an expected error that does not occur. */
export const mustNotCompile = [
  // @ts-expect-error: no example
  () => defineRoute({ ...bare, description: 'The thing.' }),
  // @ts-expect-error: no description
  () => defineRoute({ ...bare, example: { response: { name: 'x' } } }),
  // @ts-expect-error: no example of the response
  () => defineRoute({ ...bare, description: 'The thing.', example: {} }),
  // @ts-expect-error: an example that is no such response
  () => defineRoute({ ...bare, description: 'The thing.', example: { response: { name: 1 } } }),
  // @ts-expect-error: an example of a body that the route does not take
  () => defineRoute({ ...bare, description: 'The thing.', example: { body: {}, response: { name: 'x' } } }),
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
