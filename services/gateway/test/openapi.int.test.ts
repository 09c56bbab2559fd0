/** The served document, compared with the gateway's real answers. */
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiRoot, publicRoutes } from '../src/public-api.ts';
import { startTestGateway } from './world.ts';

const gateway = perSuite(() => startTestGateway({}, { env: { PUBLIC_URL: 'https://hookline.internal' } }));
let paths: Record<string, Record<string, unknown>>;

beforeAll(async () => {
  const answer = await gateway.call('GET', '/api/v1/openapi.json');
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.body.servers[0].url).toBe('https://hookline.internal/api/v1');
  paths = answer.body.paths;
});

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Outside the contract: their shapes are not documented. */
const undocumented = ['GET /api/v1/openapi.json'];

function filled(path: string): string {
  return apiRoot + path.replaceAll(/\{\w+\}/g, 'x');
}

describe('registered routes and documented routes are the same set', () => {
  it('each method that a documented path answers is documented; the others are 405 with Allow', async () => {
    for (const [path, operations] of Object.entries(paths)) {
      const named = Object.keys(operations).map(name => name.toUpperCase());
      const documented = named.includes('GET') ? [...named, 'HEAD'] : named;
      // Paths that differ only in a parameter share their methods: `/content/{id}` and a fixed `/content/x`.
      for (const method of methods.filter(name => !documented.includes(name))) {
        const answer = await gateway.call(method, filled(path));
        expect([`${method} ${path}`, answer.status]).toEqual([`${method} ${path}`, 405]);
        expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...documented].sort());
      }
    }
  });

  it('everything that the server registered under the API is documented', () => {
    const registered = publicRoutes
      .filter(({ path }) => path.startsWith(`${apiRoot}/`))
      .map(({ method, path }) => `${method} ${path}`)
      .filter(name => !undocumented.includes(name));
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(method => `${method.toUpperCase()} ${apiRoot}${path}`),
    );
    expect(registered.sort()).toEqual(documented.sort());
    expect(documented).toHaveLength(allRoutes.length);
  });
});
