import type { Command } from 'commander';
import { usage } from '../failure.ts';
import { readCount } from '../options.ts';
import { plain } from '../output.ts';
import type { Bind, Run } from '../run.ts';
import { distance } from '../when.ts';

export function addApps(program: Command, bind: Bind): void {
  const apps = program.command('apps').description('the apps that decks are made for');
  apps
    .command('import <storeUrl>')
    .description('register an app from its App Store or Google Play page; costs nothing')
    .option('--name <name>', 'its name in Hookline (default: from the address)')
    .addHelpText(
      'after',
      `
Example:
  hookline apps import https://apps.apple.com/us/app/pebblo-tiny-habit-tracker/id9990000011 --name Pebblo`,
    )
    .action(bind(importApp));
  apps
    .command('ls')
    .description('list apps, newest first')
    .option('--limit <n>', 'how many', readCount, 20)
    .action(bind(listApps));
}

async function importApp(run: Run, storeUrl: string, options: { name?: string }): Promise<void> {
  const name = options.name ?? nameOf(storeUrl);
  run.out.progress('Reading the store page…');
  const app = await run.client().apps.create({ name, appStoreUrl: storeUrl });
  run.out.progress(null);
  run.out.record(app, () => [
    `${run.out.style('green', '✓')} ${plain(app.name)}  ${run.out.style('dim', app.id)}`,
    ...(app.seedHooks ?? []).slice(0, 5).map(hook => `  “${plain(hook)}”`),
  ]);
  run.out.say(run.out.note(`Next: hookline content create --app "${plain(app.name)}"`));
}

/** `https://apps.apple.com/us/app/pebblo-tiny-habits/id1` is "Pebblo tiny habits". */
function nameOf(storeUrl: string): string {
  try {
    const url = new URL(storeUrl);
    const slug =
      /\/app\/([^/]+)\/id\d+/.exec(url.pathname)?.[1] ?? url.searchParams.get('id')?.split('.').at(-1);
    const words = decodeURIComponent(slug ?? '')
      .replace(/[-_]+/g, ' ')
      .trim();
    if (words !== '') return words.charAt(0).toUpperCase() + words.slice(1);
  } catch {
    // Falls through to the message.
  }
  throw usage('The address names no app: give one with --name.');
}

async function listApps(run: Run, { limit }: { limit: number }): Promise<void> {
  const apps = await run
    .client()
    .apps.list({ limit: Math.min(100, limit) })
    .toArray(limit);
  run.out.table(
    apps,
    [
      { title: 'ID', of: app => app.id },
      { title: 'NAME', of: app => app.name, style: () => 'bold' },
      { title: 'ABOUT', of: app => app.details },
      { title: 'MADE', of: app => distance(app.createdAt, run.io.now()) },
    ],
    'There are no apps yet: hookline apps import <storeUrl>',
  );
}
