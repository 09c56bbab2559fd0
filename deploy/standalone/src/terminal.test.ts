import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const script = `
  import { outliveTerminal, printNotice } from ${JSON.stringify(new URL('./terminal.ts', import.meta.url).href)};
  outliveTerminal();
  printNotice('ready');
  const printing = setInterval(() => printNotice('more'), 10);
  process.stdin.resume().on('end', () => {
    clearInterval(printing);
    // Of an error that is not caught the exit code is 1.
    setTimeout(() => process.exit(7), 100);
  });
`;

it('outlives the reader of its output', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const said = text(child.stderr);
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  setTimeout(() => child.stdin.end(), 300);
  expect([await exited, await said]).toEqual([[7, null], '']);
});
