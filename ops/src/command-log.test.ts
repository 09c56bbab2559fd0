import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { logCommand } from './command-log.ts';

/** What the command leaves in the data folder. */
async function textOf(args: string[], work: () => Promise<boolean>, env = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-ops-'));
  try {
    await logCommand(args, { DATA_DIR: folder, SUDO_USER: 'maya', ...env }, work).catch(() => {});
    const file = join(folder, 'operator.log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.each([
  ['done', async () => true],
  ['refused', async () => false],
  [
    'not done',
    async () => {
      throw new Error('x');
    },
  ],
])('a command that may change something leaves who ran it, and that it was %s', async (outcome, work) => {
  const text = await textOf(['redrive', '--topic', 'svc_live_x', '--go'], work);
  const line = {
    service: 'operator',
    command: 'redrive',
    options: ['--topic', '--go'],
    user: 'maya',
    outcome,
  };
  expect(JSON.parse(text)).toMatchObject({ ...line, host: expect.stringMatching(/./) });
  expect(text).not.toContain('svc_live');
});

it.each([[['timeline', 'x']], [['backup', '--help']], [[]]])('%j leaves nothing', async args => {
  expect(await textOf(args, async () => true)).toBe('');
});

it.each(['DATABASE_URL', 'DATABASE_URL_FILE'])('with %s the line goes to standard error', async name => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const text = await textOf(['redrive'], async () => true, { [name]: 'x' });
  const lines = written.mock.calls.map(([line]) => line);
  written.mockRestore();
  expect([text, ...lines]).toEqual(['', expect.stringContaining('"command":"redrive"')]);
});
