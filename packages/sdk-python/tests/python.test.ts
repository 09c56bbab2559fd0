/** The Python client: strict types with its README, its own tests, and the package that pip makes of it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { LintersMissing } from '../../../tools/openapi/lint.ts';
import { preparePython } from '../../../tools/python-venv.ts';

const run = promisify(execFile);
const cwd = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'hookline-python-'));
let python: string | LintersMissing;

beforeAll(async () => {
  const requirements = join(import.meta.dirname, 'requirements.txt');
  try {
    python = await preparePython({ name: 'sdk-python', requirements, what: "the Python client's tests" });
  } catch (error) {
    if (!(error instanceof LintersMissing) || process.env.CI === 'true') throw error;
    python = error;
  }
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The output of a module; skips the test where Python or PyPI is missing. */
async function module(context: TestContext, ...args: string[]): Promise<string> {
  if (python instanceof LintersMissing) return context.skip(python.message);
  const env = { ...process.env, PYTHONPATH: `${cwd}:${join(cwd, 'tests')}`, PYTHONDONTWRITEBYTECODE: '1' };
  const done = run(join(python, 'bin/python'), ['-m', ...args], { cwd, env });
  const { stdout } = await done.catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${args[0]} complains:\n${error.stdout}${error.stderr}`);
  });
  return stdout;
}

it('passes its tests against a hostile server', async context => {
  expect(await module(context, 'pytest')).toMatch(/\d+ passed/);
});

it('is typed strictly, with its tests and each snippet of its README', async context => {
  const readme = readFileSync(join(cwd, 'README.md'), 'utf8');
  const snippets = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  expect(snippets.length).toBeGreaterThan(3);
  const files = snippets.map((text, index) => {
    const file = join(folder, `snippet_${index}.py`);
    writeFileSync(file, text);
    return file;
  });
  const cache = join(cwd, '../../.cache/sdk-python-mypy');
  mkdirSync(cache, { recursive: true });
  const output = await module(context, 'mypy', '--cache-dir', cache, 'hookline', 'tests', ...files);
  expect(output).toContain('Success');
});

it('becomes a package that says that it is typed', async context => {
  const target = join(folder, 'installed');
  const pip = ['install', '--quiet', '--no-deps', '--no-build-isolation', '--disable-pip-version-check'];
  await module(context, 'pip', ...pip, '--target', target, cwd);
  for (const file of ['hookline/py.typed', 'hookline/types.py']) {
    expect(existsSync(join(target, file))).toBe(true);
  }
  expect(existsSync(join(target, 'tests'))).toBe(false);
});
