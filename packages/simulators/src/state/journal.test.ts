import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openJournal } from './journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'hookline-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('goes on while the disk is full, and has everything once there is room again', () => {
  const script = `
    import { execFileSync } from 'node:child_process';
    import { openJournal } from '${join(import.meta.dirname, 'journal.ts')}';
    const journal = openJournal('${folder}');
    const table = journal.table('rows');
    for (let n = 0; n < 20; n += 1) table.put(String(n), 'x'.repeat(1000));
    execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited']);
    table.put('last', 'y');
    journal.close();
    process.stdout.write(String(table.size()));`;
  const limited = 'trap "" XFSZ; ulimit -S -f 8; exec "$@"';
  const args = ['-c', limited, 'sh', process.execPath, '--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync('sh', args, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect([stdout, stderr]).toEqual(['21', '']);
  const journal = openJournal(folder);
  expect(journal.table('rows').size()).toBe(21);
  journal.close();
});
