/** Writes the sources of the SDKs that follow from the contracts. `tools/build.mjs` runs it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sdkModel } from './model.ts';
import { pythonResources, pythonTypes } from './python.ts';
import { typescriptClients, typescriptResources, typescriptScopes, typescriptTypes } from './typescript.ts';

const packages = join(import.meta.dirname, '../../packages');
const model = sdkModel();

write('sdk/src/generated', {
  'types.ts': typescriptTypes(model),
  'resources.ts': typescriptResources(model),
  'scopes.ts': typescriptScopes(),
  'clients.ts': typescriptClients(model),
});
// The build of an image has no Python client.
if (existsSync(join(packages, 'sdk-python'))) {
  write('sdk-python/hookline', {
    'types.py': pythonTypes(model),
    '_resources.py': pythonResources(model),
  });
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(packages, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(packages, folder, name), text);
}
