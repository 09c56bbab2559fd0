// The two install stages of the bootstrap. Runs on Node 18 and newer, before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, relative } from 'node:path';

const OFFLINE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|network|50[234] /;
const remedy = "check the network, or npm's registry and proxy settings, and run this again.";
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const LOCK_POLL_MS = 250;
/** A lock folder without its owner's file for this long was left by a kill between the two steps. */
const LOCK_EMPTY_MS = 5_000;

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function lockfileHash(dir) {
  const machine = `${process.platform} ${process.arch} `;
  return createHash('sha256')
    .update(machine)
    .update(readFileSync(join(dir, 'package-lock.json')))
    .digest('hex');
}

function isForThisMachine(entry) {
  const fits = (list, value) => list === undefined || list.includes(value);
  const isBinary = entry.os !== undefined && entry.cpu !== undefined;
  return (
    isBinary && fits(entry.os, process.platform) && fits(entry.cpu, process.arch) && fits(entry.libc, 'glibc')
  );
}

/**
 * True when npm's own record of its installation agrees with the lockfile, as after a plain `npm ci`. npm
 * writes that record last, so an interrupted installation has none.
 */
function matchesInstalled(dir) {
  const wanted = readJson(join(dir, 'package-lock.json'))?.packages ?? {};
  const installed = readJson(join(dir, 'node_modules/.package-lock.json'))?.packages;
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    // A missing optional package is correct on another platform, but wrong when an old Node refused its
    // engine.
    if (found === undefined) return entry.optional === true && !isForThisMachine(entry);
    return (
      found.version === entry.version && found.integrity === entry.integrity && existsSync(join(dir, path))
    );
  });
}

/** True when `dir/node_modules` matches `dir/package-lock.json` on this machine. */
export function isInstalled(dir) {
  const stamp = join(dir, 'node_modules/.hookline-installed');
  const hash = lockfileHash(dir);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true;
  if (!matchesInstalled(dir)) return false;
  try {
    writeStamp(dir);
  } catch {
    // A folder that cannot be written is compared again at the next start.
  }
  return true;
}

function writeStamp(dir) {
  writeFileSync(join(dir, 'node_modules/.hookline-installed'), lockfileHash(dir));
}

function startTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return '';
  }
}

function isOwnerAlive(lock) {
  const owner = readJson(join(lock, 'owner.json'));
  if (owner === null) {
    try {
      return Date.now() - statSync(lock).mtimeMs < LOCK_EMPTY_MS;
    } catch {
      return false;
    }
  }
  if (owner.pid === process.pid) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return startTime(owner.pid) === owner.startTime;
}

/** Runs `work` while no other bootstrap does the same; takes over a dead owner's lock. */
export async function withLock(lock, say, work) {
  mkdirSync(dirname(lock), { recursive: true });
  for (let waited = false; ; ) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isOwnerAlive(lock)) {
      if (!waited)
        say(`Another start is installing (${relative(process.cwd(), lock) || lock}): waiting for it.`);
      waited = true;
      await new Promise(resolve => setTimeout(resolve, LOCK_POLL_MS));
      continue;
    }
    const aside = `${lock}.stale.${process.pid}`;
    try {
      renameSync(lock, aside);
      rmSync(aside, { recursive: true, force: true });
    } catch {
      // Another process removed it first.
    }
  }
  try {
    writeFileSync(
      join(lock, 'owner.json'),
      JSON.stringify({ pid: process.pid, startTime: startTime(process.pid) }),
    );
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function runNpm(args, env) {
  const child = spawn('npm', args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  // A signal to this process alone would leave npm installing.
  const stop = signal => {
    child.kill(signal);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of stopSignals) process.once(signal, stop);
  return new Promise(resolve => {
    child.once('error', error => resolve({ code: 1, output: `npm cannot be run: ${error.message}` }));
    child.once('close', code => resolve({ code, output }));
  }).finally(() => {
    for (const signal of stopSignals) process.off(signal, stop);
  });
}

function explain(output, env) {
  if (OFFLINE.test(output)) {
    const registry = env.npm_config_registry ?? 'registry.npmjs.org';
    return `The package registry (${registry}) cannot be reached: ${remedy}`;
  }
  const lines = output.split('\n').filter(line => line.startsWith('npm error'));
  return (lines.length > 0 ? lines : output.split('\n')).slice(0, 15).join('\n');
}

/** Names of the packages with binaries for this machine to which `isMeant(path, entry)` applies. */
function binariesIn(dir, isMeant) {
  const packages = readJson(join(dir, 'package-lock.json'))?.packages ?? {};
  return Object.entries(packages)
    .filter(([path, entry]) => isForThisMachine(entry) && isMeant(path, entry))
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
    .join(', ');
}

/**
 * Brings `dir/node_modules` up to date with `npm ci` if needed. Throws a one-sentence error.
 *
 * @param what the sentence's object, as in "Installing <what> ..."
 */
export async function ensureInstalled({ dir, lock, what, env, say }) {
  if (isInstalled(dir)) return;
  await withLock(lock, say, async () => {
    if (isInstalled(dir)) return;
    say(`Installing ${what} with npm ci, which takes up to some minutes ...`);
    // A registry without them wrote the lockfile.
    const unverified = binariesIn(dir, (_, { integrity }) => integrity === undefined);
    if (unverified) {
      say(`The lockfile has no digest of ${unverified}: what the registry sends is not verified.`);
    }
    const began = Date.now();
    rmSync(join(dir, 'node_modules/.hookline-installed'), { force: true });
    const flags = [
      '--include=dev',
      // npm knows the list of allowed scripts from 11.16 on; nothing here needs one.
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--fetch-retry-mintimeout=1000',
      '--fetch-retry-maxtimeout=5000',
      '--fetch-timeout=60000',
    ];
    const { code, output } = await runNpm(['ci', '--prefix', dir, ...flags], env);
    if (code !== 0) throw new Error(explain(output, env));
    // Binaries are optional packages: npm leaves out those that it cannot fetch, and ends with 0.
    const leftOut = binariesIn(dir, path => !existsSync(join(dir, path)));
    if (leftOut) throw new Error(`npm could not fetch ${leftOut}: ${remedy}`);
    writeStamp(dir);
    say(`Installed ${what} in ${((Date.now() - began) / 1_000).toFixed(1)} s.`);
  });
}
