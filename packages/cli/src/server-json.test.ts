import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));

it('the entry for MCP registries names this package and its version, and starts "hookline mcp"', () => {
  const { name, version, mcpName } = read('package.json');
  const entry = read('server.json');
  expect(entry).toMatchObject({ name: mcpName, version });
  expect(entry.description.length).toBeLessThanOrEqual(100);
  expect(entry.packages).toMatchObject([
    { registryType: 'npm', identifier: name, version, packageArguments: [{ value: 'mcp' }] },
  ]);
});
