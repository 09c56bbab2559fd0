/** Accounts, automations, webhooks and results: lists, and what is done to one of them. */
import type { Automation, DeckResults, EnterResults } from '@hookline/sdk';
import type { Command } from 'commander';
import { exitCodes, Failure, usage } from '../failure.ts';
import { findApp, nameOf, readCount } from '../options.ts';
import { plain } from '../output.ts';
import type { Bind, Run } from '../run.ts';
import { distance } from '../when.ts';

type Limit = { limit: number };
const pageOf = ({ limit }: Limit) => ({ limit: Math.min(100, limit) });

export function addRecords(program: Command, bind: Bind): void {
  const listOf = (command: Command, about: string, call = 'ls') =>
    command.command(call).description(about).option('--limit <n>', 'how many', readCount, 20);
  const accounts = program.command('accounts').description('the TikTok accounts that decks are posted to');
  listOf(accounts, 'list accounts, newest first').action(bind(listAccounts));

  const automations = program.command('automations').description('plans that make decks by themselves');
  listOf(automations, 'list automations, newest first')
    .option('--app <app>', 'only of this app, by id or name')
    .action(bind(listAutomations));
  automations
    .command('pause <automationId>')
    .description('stop it from firing')
    .action(bind((run: Run, id: string) => setStatus(run, id, 'paused')));
  automations
    .command('resume <automationId>')
    .description('let it fire again; the key needs the scopes of what it does')
    .action(bind((run: Run, id: string) => setStatus(run, id, 'active')));

  const webhooks = program.command('webhooks').description('addresses that events are sent to');
  listOf(webhooks, 'list webhooks, newest first').action(bind(listWebhooks));
  listOf(webhooks, 'list the deliveries of a webhook, newest first', 'deliveries <webhookId>').action(
    bind(listDeliveries),
  );
  webhooks.command('test <webhookId>').description('send it a test event').action(bind(testWebhook));

  const results = program.command('results <contentId>').description('what became of a posted deck');
  for (const name of counts) results.option(`--${name} <n>`, 'enter this number; with --views');
  results
    .option('--post <url>', 'its post on YouTube or Instagram, whose views are read from now on')
    .addHelpText(
      'after',
      `
Examples:
  hookline results content_01k9…
  hookline results content_01k9… --views 5200 --likes 410
  hookline results content_01k9… --post https://youtu.be/dQw4w9WgXcQ`,
    )
    .action(bind(showResults));

  program
    .command('experiments [contentId]')
    .description('hooks compared on purpose: start with a deck, or list what came out')
    .option('--hook <text...>', 'copy the deck with this hook, for a credit')
    .option('--against <contentId...>', 'compare it with this deck of the app')
    .option('--hours <n>', 'read the views of each post after so many hours', readCount, 48)
    .action(bind(compareHooks));
}

async function listAccounts(run: Run, limit: Limit): Promise<void> {
  const rows = await run.client().accounts.list(pageOf(limit)).toArray(limit.limit);
  run.out.table(
    rows,
    [
      { title: 'ID', of: ({ id }) => id },
      { title: 'NAME', of: nameOf, style: () => 'bold' },
      { title: 'KIND', of: ({ kind }) => kind },
      { title: 'STATE', of: ({ status }) => status },
    ],
    'There are no accounts yet: hookline open accounts',
  );
}

async function listAutomations(run: Run, options: Limit & { app?: string }): Promise<void> {
  const client = run.client();
  const appId = options.app === undefined ? undefined : await findApp(client, options.app);
  const rows = await client.automations.list({ ...pageOf(options), appId }).toArray(options.limit);
  const next = ({ nextFireAt }: Automation) => (nextFireAt ? distance(nextFireAt, run.io.now()) : '');
  run.out.table(
    rows,
    [
      { title: 'ID', of: ({ id }) => id },
      { title: 'STATE', of: ({ status }) => status },
      { title: 'NEXT', of: next },
      { title: 'ABOUT', of: ({ nextTopic, brief }) => nextTopic ?? brief?.topic ?? 'the app' },
    ],
    'There are no automations yet: hookline open automations',
  );
}

async function setStatus(run: Run, id: string, status: 'active' | 'paused'): Promise<void> {
  const automation = await run.client().automations.update(id, { status });
  run.out.record(automation, () => [`${run.out.style('green', '✓')} ${id}  ${automation.status}`]);
}

async function listWebhooks(run: Run, limit: Limit): Promise<void> {
  const rows = await run.client().webhooks.list(pageOf(limit)).toArray(limit.limit);
  run.out.table(
    rows,
    [
      { title: 'ID', of: ({ id }) => id },
      { title: 'STATE', of: ({ status }) => status },
      { title: 'URL', of: ({ url }) => url },
    ],
    'There are no webhooks yet: hookline open webhooks',
  );
}

async function listDeliveries(run: Run, id: string, limit: Limit): Promise<void> {
  const rows = await run.client().webhooks.listDeliveries(id, pageOf(limit)).toArray(limit.limit);
  run.out.table(
    rows,
    [
      { title: 'ID', of: row => row.id },
      { title: 'EVENT', of: row => row.eventType },
      { title: 'STATE', of: row => row.status },
      { title: 'MADE', of: row => distance(row.createdAt, run.io.now()) },
    ],
    'Nothing was sent yet.',
  );
}

async function testWebhook(run: Run, id: string): Promise<void> {
  const attempt = await run.client().webhooks.test(id);
  run.out.record(attempt, () => [`${attempt.responseStatus ?? plain(attempt.error ?? 'no answer')}`]);
  if (attempt.error === null) return;
  throw new Failure(exitCodes.refused, { code: 'not_delivered', message: attempt.error });
}

const counts = ['views', 'likes', 'comments', 'shares', 'saves'] as const;
type Counts = { [Name in (typeof counts)[number]]?: string };

async function showResults(
  run: Run,
  id: string,
  { post, ...given }: Counts & { post?: string },
): Promise<void> {
  const { content } = run.client();
  // The empty text of an unset variable would be 0 views.
  const [wrong] = Object.entries(given).find(([, text]) => !/^\d+$/.test(text)) ?? [];
  if (wrong !== undefined) throw usage(`--${wrong} must be a whole number.`);
  const numbers = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, Number(text)]));
  const hasNumbers = Object.keys(numbers).length > 0;
  if (hasNumbers && numbers.views === undefined) throw usage('--views is needed with the other numbers.');
  if (post !== undefined) {
    const { platform, id: postId } = await content.addDeckPost(id, { url: post });
    run.out.say(`${run.out.style('green', '✓')} ${postId}  ${platform}`);
  }
  const results = hasNumbers
    ? await content.enterResults(id, { ...numbers, views: numbers.views ?? 0 } satisfies EnterResults)
    : await content.getResults(id);
  run.out.record(results, () =>
    results
      ? [lineOf(results)]
      : [
          'Nothing is known of it yet. TikTok tells nothing of private posts and posts by phone: --views enters it.',
        ],
  );
}

function lineOf(results: DeckResults): string {
  return counts.flatMap(name => (results[name] === null ? [] : [`${results[name]} ${name}`])).join(' · ');
}

type Compared = { hook?: string[]; against?: string[]; hours: number };

async function compareHooks(run: Run, id: string | undefined, given: Compared): Promise<void> {
  const { content, analytics } = run.client();
  const { hook: hooks, against, hours: readAfterHours } = given;
  if (id === undefined && (hooks ?? against)) {
    throw usage('The deck is needed, before --hook and --against, which take all that follows.');
  }
  if (id === undefined) {
    const experiments = await analytics.listExperiments().toArray();
    return run.out.record(experiments, () =>
      experiments.length === 0
        ? ['There are no experiments yet: hookline experiments <contentId> --hook <text>']
        : experiments.map(({ id, verdict }) => `${id}  ${plain(verdict)}`),
    );
  }
  const started = await content.startExperiment(id, { hooks, against, readAfterHours });
  run.out.record(started, () => started.decks.map(deck => `${deck.contentId}  ${plain(deck.hook)}`));
}
