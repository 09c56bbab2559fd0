/**
 * What `npm start` loads before it is up. Each module costs 0.4 ms of CPU there, a third of the start in all.
 */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** 1,382 today. A library of one kind of request is loaded by the first of them, with `import()`. */
const modulesMax = 1_400;

/** Libraries of more than 10 modules that every start needs. */
const large = [
  '@fastify/busboy',
  '@opentelemetry/api',
  'avvio',
  'fastify',
  'find-my-way',
  'pg',
  'pino',
  'ret',
  'semver',
  'undici',
  'zod',
];

const load = `
import { registerHooks } from 'node:module';
const urls = [];
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
await import('./deploy/standalone/src/start-product.ts');
const { createBareServer } = await import('@hookline/shared/http');
const { createLogger } = await import('@hookline/shared/kernel');
createBareServer(createLogger({ service: 'standalone', level: 'fatal' }));
console.log(JSON.stringify(urls.filter(url => url.startsWith('file:'))));
`;

it('loads no large library but those that every start needs', () => {
  const root = new URL('../../../', import.meta.url);
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', load], {
    cwd: root,
    encoding: 'utf8',
  });
  const paths = (JSON.parse(printed) as string[]).map(url => url.slice(root.href.length));
  const counts = Map.groupBy(new Set(paths), workspaceOrPackage);
  const sizes = [...counts].map(([name, list]) => ({ name, size: list.length }));
  const libraries = sizes.filter(({ name, size }) => !name.includes(' ') && size > 10);
  expect(libraries.map(({ name }) => name).filter(name => !large.includes(name))).toEqual([]);
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  const told = sizes
    .toSorted((one, other) => other.size - one.size)
    .map(({ name, size }) => `${name} ${size}`);
  expect(total, told.join(', ')).toBeLessThanOrEqual(modulesMax);
});

/** `undici`; `our services/gateway`. */
function workspaceOrPackage(path: string): string {
  const [, library] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return library ?? `our ${path.split('/').slice(0, 2).join('/')}`;
}
