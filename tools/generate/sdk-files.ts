/** The generated files of the SDKs: path from the repository's root, and text. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { sdkModel } from './sdk-model.ts';
import { pythonResources, pythonTypes } from './sdk-python.ts';
import {
  typescriptClients,
  typescriptResources,
  typescriptScopes,
  typescriptTypes,
} from './sdk-typescript.ts';

const root = join(import.meta.dirname, '../..');

export function sdkFiles(): Record<string, string> {
  const model = sdkModel();
  const sources = {
    'types.ts': formatted('packages/sdk/src/generated/types.ts', typescriptTypes(model)),
    'resources.ts': formatted('packages/sdk/src/generated/resources.ts', typescriptResources(model)),
    'scopes.ts': formatted('packages/sdk/src/generated/scopes.ts', typescriptScopes()),
    'clients.ts': formatted('packages/sdk/src/generated/clients.ts', typescriptClients(model)),
  };
  return {
    ...under('packages/sdk/src/generated', sources),
    ...under('packages/sdk-python/hookline', {
      'types.py': pythonTypes(model),
      '_resources.py': pythonResources(model),
    }),
  };
}

function under(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

/** @param file path from the repository's root, which says which rules apply */
function formatted(file: string, text: string): string {
  return run('@biomejs/biome/bin/biome', ['check', '--write', `--stdin-file-path=${file}`], text);
}

/** The output of a program of node_modules. @throws Error with its complaints */
function run(program: string, args: readonly string[], input: string): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', program), ...args],
    { cwd: root, input, encoding: 'utf8', maxBuffer: 16_000_000 },
  );
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
