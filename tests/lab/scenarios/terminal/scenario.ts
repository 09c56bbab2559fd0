/**
 * The command line in a terminal, typed key by key against `npm start`, and a picture of
 * each screen in `docs/cli`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { freePorts, repositoryRoot } from '../../kit/product/processes.ts';
import { startStandalone } from '../../kit/product/standalone.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { drawScreen } from './svg.ts';
import { columns, openTerminal, type Terminal } from './tmux.ts';

const pictures = join(repositoryRoot, 'docs/cli');
const cli = join(repositoryRoot, 'packages/cli/dist/hookline.js');
const receiver = join(repositoryRoot, 'examples/webhook-receiver/receiver.ts');

async function openSession(folder: string, dataDir: string): Promise<Terminal> {
  const terminal = openTerminal(folder, {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    DATA_DIR: dataDir,
    LANG: 'C.UTF-8',
    COLORTERM: 'truecolor',
  });
  terminal.press(`hookline() { node '${cli}' "$@"; }; PS1='$ '; clear`, 'Enter');
  await terminal.screen(/^\$$/m);
  return terminal;
}

/** Types the commands of a deck's way to its post, and of its events. @returns the number of pictures */
async function walk(terminal: Terminal): Promise<number> {
  mkdirSync(pictures, { recursive: true });
  let screens = 0;
  const type = async (command: string, expected: RegExp) => {
    terminal.press(command, 'Enter');
    return (await terminal.screen(expected)).join('\n');
  };
  /** Waits for the prompt after the expected text too. */
  const run = (command: string, expected: RegExp) =>
    type(command, new RegExp(`${expected.source}.*\n\\$\\s*$`, 's'));
  const keep = async (name: string) => {
    writeFileSync(
      join(pictures, `${name}.svg`),
      drawScreen(await terminal.screen(/hookline/), columns, `hookline: ${name}`),
    );
    screens += 1;
  };
  const clear = async () => {
    terminal.press('clear', 'Enter');
    await terminal.screen(/^\$\s*$/);
  };

  const made = await run(
    'hookline content create --topic "morning habits" --slides 4 --wait',
    /console\/approve/,
  );
  const [deck = ''] = /content_\w+/.exec(made) ?? [];
  await keep('create');
  await clear();
  await type('hookline review', /Deck 1 of 2.*a approve/s);
  await keep('review');
  // The other deck is the one that the first start leaves for a person.
  terminal.press('a');
  await terminal.screen(/Deck 2 of 2.*a approve/s);
  terminal.press('a');
  await terminal.screen(/2 approved/);
  await clear();
  const at = '--at "tomorrow 9:00" --zone Europe/Berlin';
  await run(`hookline schedule ${deck} ${at} --dry-run`, /nothing was changed/);
  await run(`hookline schedule ${deck} ${at}`, /schedule_\w+/);
  await run(`hookline why ${deck}`, /hookline why schedule_/);
  await keep('schedule');
  await clear();
  const [port] = await freePorts(1);
  const secret = 'WEBHOOK_SECRET=$(hookline listen --print-secret)';
  terminal.press(`${secret} PORT=${port} node ${receiver} > received.log & clear`, 'Enter');
  await run('hookline doctor', /TikTok accounts/);
  await run(`hookline trigger schedule.published --to localhost:${port}`, /204/);
  await type('hookline tail --since 1h', /content\.approved/);
  terminal.press('C-c');
  await terminal.screen(/Ctrl-C ends.*\$\s*$/s);
  await keep('events');
  terminal.press('kill %1', 'Enter');
  return screens;
}

export const scenario = defineScenario({
  about: 'the command line typed in a terminal of tmux, with a picture of each screen in docs/cli',
  takes: '1 min',
  async run({ folder }): Promise<Outcome> {
    const product = await startStandalone();
    const terminal = await openSession(folder, product.dataDir);
    try {
      const screens = await walk(terminal);
      return { isProven: screens === 4, figures: { screens } };
    } finally {
      terminal.close();
      await product.remove();
    }
  },
});
