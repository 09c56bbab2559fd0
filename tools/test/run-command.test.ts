import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

const node = process.execPath;

describe('runCommand', () => {
  it('answers what both streams said, and the code', async () => {
    const script = 'console.log("out"); console.error("err"); process.exitCode = 3';
    const { code, output } = await runCommand(node, ['-e', script], { timeoutMs: 20_000 });
    expect(code).toBe(3);
    expect(output).toMatch(/out\n/);
    expect(output).toMatch(/err\n/);
  });

  it('ends what takes too long, and says so', async () => {
    const { code, output } = await runCommand(node, ['-e', 'setInterval(() => {}, 1000)'], {
      timeoutMs: 300,
    });
    expect(code).toBe(1);
    expect(output).toMatch(/ended by SIGTERM \(limit 0\.3 s\)/);
  });

  it('answers 127 for a program that is not there, and leaves nothing that keeps the process alive', async () => {
    const script = `const { runCommand } = await import(${JSON.stringify(new URL('./run-command.ts', import.meta.url).href)});
      console.log(JSON.stringify(await runCommand('no-such-program', [], { timeoutMs: 600_000 })));`;
    const { code, output } = await runCommand(node, ['--input-type=module', '-e', script], {
      timeoutMs: 20_000,
    });
    expect({ code, output: JSON.parse(output) }).toEqual({
      code: 0,
      output: { code: 127, output: 'no-such-program is not there' },
    });
  });
});
