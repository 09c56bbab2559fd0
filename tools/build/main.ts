/**
 * Writes the sources of the SDKs, which follow from the contracts, and the pages of the guides. `tools/build.mjs`
 * runs it.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guidePages } from './guide-pages.ts';
import { sdkModel } from './model.ts';
import { pythonResources, pythonTypes } from './python.ts';
import { typescriptClients, typescriptResources, typescriptScopes, typescriptTypes } from './typescript.ts';

const root = join(import.meta.dirname, '../..');
const model = sdkModel();

write('services/gateway/pages', guidePages());
write('packages/sdk/src/generated', {
  'types.ts': typescriptTypes(model),
  'resources.ts': typescriptResources(model),
  'scopes.ts': typescriptScopes(),
  'clients.ts': typescriptClients(model),
});
// The build of an image has no Python client.
if (existsSync(join(root, 'packages/sdk-python'))) {
  write('packages/sdk-python/hookline', {
    'types.py': pythonTypes(model),
    '_resources.py': pythonResources(model),
  });
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(root, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, folder, name), text);
}
