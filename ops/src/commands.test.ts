import { ConfigurationError } from '@hookline/shared/kernel';
import { describe, expect, it } from 'vitest';
import { runOps } from './commands.ts';

async function run(...args: string[]): Promise<{ isDone: boolean; lines: string[] }> {
  const lines: string[] = [];
  // An address that must not be contacted: none of these commands gets that far.
  const isDone = await runOps(args, { DATABASE_URL: 'postgres://127.0.0.1:1/none' }, line =>
    lines.push(line),
  );
  return { isDone, lines };
}

const names = [
  'timeline',
  'dead-letters',
  'redrive',
  'republish',
  'pause-sending',
  'resume-sending',
  'check-invariants',
  'create-owner',
  'remove-passkeys',
  'credits',
  'revoke-key',
  'deletions',
  'rotate-keys',
  'detach-snapshots',
  'backup',
  'close-after',
  'release-kept-back',
];

describe('npm run ops', () => {
  it.each([[[]], [['help']], [['--help']]])('%j lists every command in a line each', async args => {
    const { isDone, lines } = await run(...args);
    expect(isDone).toBe(true);
    expect(lines.slice(1, -2).map(line => line.trim().split(/\s{2,}/)[0])).toEqual(names);
    for (const line of lines.slice(1, -2)) expect(line).toMatch(/^ {2}[a-z-]+ {2,}[a-z].{20,}[^.]$/);
  });

  it.each(names)('help %s shows how it is called and explains each option', async name => {
    const { lines } = await run('help', name);
    const options = [...(lines[0] ?? '').matchAll(/\[(--[a-z-]+)/g)].map(found => found[1]);
    expect(lines[0]).toContain(`npm run ops -- ${name}`);
    expect(lines.slice(2).map(line => /^--[a-z-]+/.exec(line)?.[0])).toEqual(options);
    expect((await run(name, '--help')).lines).toEqual(lines);
  });

  it.each([
    [['grow'], /^There is no command "grow"; there are help, timeline, /],
    [['toString'], /^There is no command "toString"/],
    [['help', 'grow'], /^There is no command "grow"/],
    [['timeline'], /^It is called like this: npm run ops -- timeline <scheduleId>\.$/],
    [['timeline', 'a', 'b'], /^It is called like this/],
    [['timeline', 'a'], /^<scheduleId> must be a schedule’s id/],
    [['create-owner'], /^--email must be an e-mail address/],
    [['create-owner', '--email', 'x'], /^--email must be an e-mail address/],
    [['credits', 'take'], /^It is called like this: npm run ops -- credits grant/],
    [['revoke-key', 'svc_live_x'], /^<keyId> is the id of the key \(key_\.\.\.\), never the key itself\.$/],
    [['republish'], /^--since must be a time with its zone, such as /],
    [['republish', '--since', 'yesterday'], /^--since must be a time with its zone, such as /],
    [['republish', '--since', '2026-02-30T09:00:00Z'], /^--since must be a time with its zone, such as /],
    [
      ['republish', '--since', '2026-11-21T09:00:00Z', '--service', 'gateway'],
      /^--service must be one of content, /,
    ],
    [
      ['republish', '--since', '2026-11-21T09:00:00Z', '--topic', 'nope'],
      /^--topic must be one of content\.jobs, /,
    ],
    [['redrive', '--go', '--discard'], /exclude each other\.$/],
    [['pause-sending', '--reason', 'x'.repeat(201)], /^--reason must have at most 200 characters\.$/],
  ])('%j is a mistake reported in one sentence', async (args, sentence) => {
    await expect(run(...args)).rejects.toThrow(ConfigurationError);
    await expect(run(...args)).rejects.toThrow(sentence);
  });

  it('names an option that does not exist', async () => {
    await expect(run('redrive', '--grow')).rejects.toMatchObject({ code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' });
  });
});
