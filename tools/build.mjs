// Builds the files that a checkout keeps out of git: the SDKs, the pages of the guides, the bundle of the command
// line and the console. Each is built when its sources differ from those of the last build.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { withLock } from './install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamps = join(root, 'node_modules/.cache/built');

/** The SDKs are generated from these folders, and the console imports some of them. */
const contracts = [
  'packages/shared/src/contracts',
  'packages/shared/src/events',
  'services/gateway/src/site/openapi',
  'tools/build',
];
const sdk = ['packages/sdk', ...contracts];
const guides = ['docs/guides', 'services/gateway/src/site/docs'];
const generated = 'packages/sdk/src/generated';

/** In the order of the builds: the command line and the console contain the SDK. */
const TARGETS = {
  sdk: { build: buildSdk, entry: 'index.js', reads: [...sdk, ...guides] },
  cli: { build: buildCli, entry: 'hookline.js', reads: [...sdk, 'packages/cli'] },
  console: {
    build: buildConsole,
    entry: 'index.html',
    reads: [...sdk, 'packages/deck/src', 'packages/console'],
  },
};

function sourcesBelow(dir) {
  const skipped = new Set(['dist', 'node_modules', 'test']);
  return readdirSync(dir, { withFileTypes: true }).flatMap(entry => {
    if (skipped.has(entry.name) || /\.test\.|^README\.md$/.test(entry.name)) return [];
    const path = join(dir, entry.name);
    if (path === join(root, generated)) return [];
    return entry.isDirectory() ? sourcesBelow(path) : [path];
  });
}

/** One digest of everything that the build of a target reads. */
function digestOf({ reads }) {
  const files = [...reads.flatMap(folder => sourcesBelow(join(root, folder))).sort()];
  const hash = createHash('sha256');
  for (const file of [...files, join(root, 'package-lock.json'), fileURLToPath(import.meta.url)])
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

function isStale(name) {
  const stamp = join(stamps, name);
  const made = [
    `packages/${name}/dist/${TARGETS[name].entry}`,
    generated,
    'services/gateway/pages/index.html',
  ];
  if (![stamp, ...made.map(file => join(root, file))].every(existsSync)) return true;
  return readFileSync(stamp, 'utf8') !== digestOf(TARGETS[name]);
}

/** Builds what is stale, on the given Node 24. @throws Error with the output of the tool that failed */
export async function ensureBuilt({ node, env, say }) {
  const anyStale = () => Object.keys(TARGETS).some(isStale);
  if (!anyStale()) return;
  await withLock(join(root, '.cache/build.lock'), say, async () => {
    if (!anyStale()) return;
    say('Building the SDKs, the command line and the console ...');
    await run(node, [fileURLToPath(import.meta.url)], env);
  });
}

function run(program, args, env = process.env) {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => {
      if (code === 0) resolve(output);
      else reject(new Error(output.trim() || `${args.join(' ')} ended with ${code}`));
    });
  });
}

async function buildSdk(dist) {
  await run(process.execPath, ['tools/build/main.ts']);
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'packages/sdk']);
  // The compiler rewrites the endings of imports in JavaScript, not in declarations.
  for (const name of readdirSync(dist, { recursive: true }).filter(file => file.endsWith('.d.ts'))) {
    const text = readFileSync(join(dist, name), 'utf8');
    writeFileSync(join(dist, name), text.replaceAll(/(from '\.[\w./-]+)\.ts'/g, "$1.js'"));
  }
}

/** One file that contains its libraries, for Node 20.12 and newer, and the licences of these. */
async function buildCli(dist) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: 'packages/cli/src/main.ts',
    platform: 'node',
    transform: { target: 'node20' },
  });
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: 'hookline.js',
    codeSplitting: false,
  });
  await bundle.close();
  chmodSync(join(dist, 'hookline.js'), 0o755);
  // npm, which installs before this file exists, leaves the link out.
  const link = join(root, 'node_modules/.bin/hookline');
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), join(dist, 'hookline.js')), link);
  writeFileSync(join(dist, 'LICENSES.txt'), licencesOf(output.flatMap(chunk => chunk.moduleIds)));
}

function licencesOf(modules) {
  const folders = modules.flatMap(id => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map(folder => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence text.`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** The pages, each with its brotli form beside it. */
async function buildConsole(dist) {
  const { build } = await import('vite');
  // Vite takes React's development form where NODE_ENV says so, as it does below a test runner.
  process.env.NODE_ENV = 'production';
  await build({ root: join(root, 'packages/console'), logLevel: 'warn', build: { emptyOutDir: true } });
  const texts = readdirSync(dist, { recursive: true })
    .map(name => join(dist, name))
    .filter(file => ['.html', '.js', '.css', '.svg'].includes(extname(file)));
  await Promise.all(
    texts.map(async file => {
      const bytes = readFileSync(file);
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
    }),
  );
}

async function buildTarget(name) {
  const target = TARGETS[name];
  const digest = digestOf(target);
  const dist = join(root, 'packages', name, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await target.build(dist);
  mkdirSync(stamps, { recursive: true });
  writeFileSync(join(stamps, name), digest);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const chosen = process.argv.slice(2);
    const isWanted = name => (chosen.length === 0 || chosen.includes(name)) && isStale(name);
    if (isWanted('sdk')) await buildTarget('sdk');
    await Promise.all(['cli', 'console'].filter(isWanted).map(buildTarget));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
