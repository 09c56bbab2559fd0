import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const tools = import.meta.dirname;
const root = resolve(tools, '..');

let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hookline-start-'));
  mkdirSync(join(dir, 'tools'));
  cpSync(join(tools, 'start.sh'), join(dir, 'tools/start.sh'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function run(bootstrap: string, ...args: string[]) {
  writeFileSync(join(dir, 'tools/bootstrap.mjs'), bootstrap);
  const child = spawn('sh', [join(dir, 'tools/start.sh'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', chunk => (output += chunk));
  const [code] = await once(child, 'close');
  return { pid: child.pid, code, output };
}

describe('start.sh', () => {
  it('becomes the command that the bootstrap prints, in the project', async () => {
    const { pid, code, output } = await run(`console.log("'sh' '-c' 'echo $$; pwd; exit 7'")`);
    expect(output).toBe(`${pid}\n${dir}\n`);
    expect(code).toBe(7);
  });

  it('runs nothing when the bootstrap fails', async () => {
    const { code, output } = await run(`console.log("'echo' 'started'"); process.exit(3)`);
    expect(output).toBe('');
    expect(code).toBe(3);
  });

  it('passes its arguments on', async () => {
    const { output } = await run(
      `console.log("'echo' '" + process.argv.slice(2).join('|') + "'")`,
      '--a',
      'b c',
    );
    expect(output).toBe('--print|start|--a|b c\n');
  });
});

describe('a command of the bootstrap', () => {
  it('ends in silence when the reader of its output has seen enough', async () => {
    const preload = join(tools, 'end-with-bootstrap.mjs');
    const child = spawn(
      process.execPath,
      ['--import', preload, '-e', 'setInterval(() => console.log("line"), 10)'],
      { env: { HOOKLINE_BOOTSTRAP_PID: String(process.pid) }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
    );
    let complaint = '';
    child.stderr?.on('data', chunk => (complaint += chunk));
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(complaint).toBe('');
  });
});

describe('the command that the bootstrap prints', () => {
  it('is a word for the shell for each of its parts, whatever they contain', () => {
    const odd = [`it's`, '$HOME `id`', 'two\nlines', '"', '\\'];
    const printed = execFileSync(
      process.execPath,
      [join(tools, 'bootstrap.mjs'), '--print', 'start', ...odd],
      {
        env: { ...process.env, NODE_COMPILE_CACHE: join(dir, `it's a cache`) },
        encoding: 'utf8',
      },
    );
    const script = `eval "set -- $1"; for word; do printf '%s\\0' "$word"; done`;
    const words = execFileSync('sh', ['-c', script, 'sh', printed], { encoding: 'utf8' }).split('\0');
    expect(words[0]).toBe('env');
    expect(words).toContain('--max-semi-space-size=2');
    const entry = words.indexOf(join(root, 'deploy/standalone/src/main.ts'));
    expect(words.slice(entry + 1, -1)).toEqual(odd);
    expect(words.find(word => word.startsWith('HOOKLINE_COMMAND_AT_MS='))).toMatch(/=\d{13}$/);
  });
});
