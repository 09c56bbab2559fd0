// The entry point of every npm script: installs Node 24 and the dependencies when they are missing, then runs
// the command. Plain JavaScript without dependencies, because it runs on any Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { startEnvironment, startFlags } from './start-options.mjs';

const NODE_MAJOR = 24;
/**
 * npm forwards a Ctrl-C that the terminal has already delivered; a second one within this time is the same.
 */
const SAME_SIGNAL_MS = 500;
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const ENTRIES = {
  start: 'deploy/standalone/src/main.ts',
  simulators: 'packages/simulators/src/main.ts',
  doctor: 'deploy/standalone/src/doctor.ts',
  migrate: 'packages/shared/src/postgres/migrate-main.ts',
  ops: 'ops/src/main.ts',
  generate: 'tools/generate.ts',
  reference: 'tools/reference.ts',
  build: 'tools/build.mjs',
  n8n: 'tools/n8n/main.ts',
  nuke: 'tools/nuke.ts',
  gallery: 'packages/writer/eval/main.ts',
  trace: 'ops/src/trace/main.ts',
  'audit-check': 'ops/src/audit/main.ts',
  test: 'tools/test/main.ts',
  check: 'tools/test/main.ts',
  'check:release': 'tools/deploy/release.ts',
  chart: 'tools/deploy/write-chart.ts',
  prove: 'tests/lab/main.ts',
  bench: 'bench/main.ts',
};

function say(line) {
  console.error(`hookline: ${line}`);
}

function fail(message) {
  say(message);
  process.exit(1);
}

/** The npm package with Node for this machine exists for glibc Linux on x64 and arm64 only. */
function hasNodePackage() {
  const isGlibc = process.report?.getReport().header.glibcVersionRuntime !== undefined;
  return process.platform === 'linux' && isGlibc && ['x64', 'arm64'].includes(process.arch);
}

/**
 * Stage one: installs the Node that runs everything else; returns its path and the environment that puts it
 * first.
 */
async function ensureNode() {
  const env = { ...process.env };
  if (!hasNodePackage()) {
    if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return { node: process.execPath, env };
    fail(
      `Node ${NODE_MAJOR} or newer is needed on ${process.platform}-${process.arch}, and this is ${process.versions.node}: install it and run this again.`,
    );
  }
  const dir = join(root, 'tools/node');
  await ensureInstalled({
    dir,
    lock: join(root, '.cache/install-node.lock'),
    what: 'Node 24 (1 of 2)',
    env,
    say,
  });
  // The npm 9 of Debian 12 and Ubuntu 24.04 does not link it into `.bin`.
  const bin = join(dir, `node_modules/node-linux-${process.arch}/bin`);
  env.PATH = `${bin}${delimiter}${process.env.PATH ?? ''}`;
  return { node: join(bin, 'node'), env };
}

/**
 * The entry as a shell command. `start.sh` replaces itself with it, so that no launcher keeps running next to
 * the product.
 */
function commandOf(node, env, args) {
  const changed = Object.entries(env).filter(([name, value]) => process.env[name] !== value);
  return ['env', ...changed.map(([name, value]) => `${name}=${value}`), node, ...args].map(quote).join(' ');
}

function quote(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Runs the entry; each signal reaches it exactly once, and its exit code becomes ours. */
function runEntry(node, env, args) {
  // A separate process group: the terminal then delivers Ctrl-C to us only, and we forward it.
  const preload = ['--import', pathToFileURL(join(root, 'tools/end-with-bootstrap.mjs')).href];
  const child = spawn(node, [...preload, ...args], {
    cwd: root,
    env: { ...env, HOOKLINE_BOOTSTRAP_PID: String(process.pid) },
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    detached: true,
  });
  const last = {};
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const now = Date.now();
      if (now - (last[signal] ?? 0) < SAME_SIGNAL_MS) return;
      last[signal] = now;
      child.kill(signal);
    });
  }
  child.once('error', error => fail(`${node} cannot be run: ${error.message}`));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

async function main() {
  const commandAtMs = Date.now() - process.uptime() * 1000;
  const given = process.argv.slice(2);
  const onlyPrints = given[0] === '--print';
  const [command = '', ...rest] = onlyPrints ? given.slice(1) : given;
  const entry = ENTRIES[command];
  if (entry === undefined)
    fail(`There is no command "${command}". Commands: ${Object.keys(ENTRIES).join(', ')}.`);
  const beforeInstallMs = Date.now();
  const { node, env } = await ensureNode();
  const lock = join(root, '.cache/install.lock');
  // Removing data must work without the dependencies, and must not install them first.
  if (command !== 'nuke') await ensureInstalled({ dir: root, lock, what: 'dependencies (2 of 2)', env, say });
  env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node-compile');
  // The documents must not wait for a build of broken clients.
  if (!['nuke', 'build', 'generate'].includes(command)) await ensureBuilt({ node, env, say });
  if (!existsSync(join(root, entry))) fail(`${entry} is missing: this checkout has no "${command}".`);
  // The time at which the command was entered; `npm start` reports its duration from there. An installation,
  // which reports its own time, is excluded; a mere check of what is installed is not.
  const installMs = Date.now() - beforeInstallMs;
  env.HOOKLINE_COMMAND_AT_MS = String(Math.round(commandAtMs + (installMs > 2_000 ? installMs : 0)));
  const isStart = command === 'start';
  const environment = isStart ? { ...startEnvironment, ...env } : env;
  const flags = isStart ? startFlags : [];
  const ring = command === 'check' ? ['check'] : [];
  const args = [...flags, join(root, entry), ...ring, ...rest];
  if (onlyPrints) console.log(commandOf(node, environment, args));
  else runEntry(node, environment, args);
}

main().catch(error => fail(error.message));
