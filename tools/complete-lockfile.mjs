// Adds to the lockfiles the optional platform packages that npm left out. npm omits the binaries of other
// platforms when it locks next to an existing node_modules (npm/cli 4828) or from a mirror that has only this
// platform's; a fresh `npm ci` then refuses the lockfile. `--check` only reports missing ones.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OPERATING_SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
  'wasm32',
];

/** The os, cpu and libc of a platform package, from its name: `@swc/core-linux-x64-musl`. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const cpu =
    PROCESSORS.find(processor => words.includes(processor)) ?? (words.includes('armv7') ? 'arm' : undefined);
  const os = OPERATING_SYSTEMS.find(system => words.includes(system));
  const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(os && { os: [os] }), ...(libc && { libc: [libc] }) };
}

/** The missing entries: exact versions only, because their parent always pins such packages. */
export function findMissingEntries(lockfile) {
  const missing = {};
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const isLocked = [`${path}/node_modules/${name}`, `node_modules/${name}`].some(
        key => lockfile.packages[key],
      );
      if (isLocked || !/^\d/.test(version)) continue;
      missing[`node_modules/${name}`] = { version, ...platformOf(name), optional: true };
    }
  }
  return missing;
}

/**
 * Packages that npm could not verify. Binaries of other platforms may lack a digest: a mirror that has only
 * this platform's knows none. A bundled package is covered by the digest of the package that contains it.
 * Everything else must have one.
 */
export function findUnverifiedEntries(lockfile) {
  return Object.entries(lockfile.packages)
    .filter(
      ([path, entry]) =>
        /(^|\/)node_modules\//.test(path) && !entry.link && !entry.inBundle && !entry.integrity,
    )
    .filter(([, entry]) => !(entry.optional && entry.cpu))
    .map(([path]) => path);
}

const LOCKFILES = ['package-lock.json', 'packages/n8n-nodes-hookline/package-lock.json'];

function complete(name) {
  const path = join(fileURLToPath(import.meta.url), '../..', name);
  const lockfile = JSON.parse(readFileSync(path, 'utf8'));
  const unverified = findUnverifiedEntries(lockfile);
  if (unverified.length > 0) {
    console.error(`${name} has no digest of ${unverified.join(', ')}: lock them at a registry that has them`);
    process.exitCode = 1;
  }
  const missing = findMissingEntries(lockfile);
  const names = Object.keys(missing);
  if (names.length === 0) return;
  if (process.argv.includes('--check')) {
    console.error(`${name} lacks ${names.join(', ')}: run node tools/complete-lockfile.mjs`);
    process.exitCode = 1;
    return;
  }
  const entries = Object.entries({ ...lockfile.packages, ...missing });
  lockfile.packages = Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`);
  console.log(`${name}: added ${names.length} entries: ${names.join(', ')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const name of LOCKFILES) complete(name);
