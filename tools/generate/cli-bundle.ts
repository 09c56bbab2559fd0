import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * The command line in one file, with the libraries that it uses and their licences, so that it installs
 * without dependencies and runs on Node 20.12.
 */
export async function cliBundle(): Promise<Record<string, string>> {
  // Loaded here: most of what is generated needs no bundler.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: 'packages/cli/src/main.ts',
    platform: 'node',
    transform: { target: 'node20' },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: 'hookline.js',
    codeSplitting: false,
  });
  await bundle.close();
  const files: Record<string, string> = {};
  const modules = new Set<string>();
  for (const file of output) {
    if (file.type !== 'chunk') throw new Error(`${file.fileName} is not code.`);
    files[`packages/cli/dist/${file.fileName}`] = file.code;
    for (const id of file.moduleIds) modules.add(id);
  }
  files['packages/cli/dist/LICENSES.txt'] = licences([...modules]);
  return files;
}

/** Of each package whose code is in the bundle. */
function licences(modules: readonly string[]): string {
  const folders = new Set(
    modules.flatMap(id => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(root, id))?.[0] ?? []),
  );
  const texts = [...folders].sort().map(folder => {
    const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
    };
    return `${name} ${version}\n\n${licenceIn(folder).trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceIn(folder: string): string {
  for (const name of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE']) {
    try {
      return readFileSync(join(root, folder, name), 'utf8');
    } catch {
      // The next name.
    }
  }
  throw new Error(`${dirname(join(folder, 'x'))} has no licence text.`);
}
