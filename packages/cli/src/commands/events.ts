import { randomBytes } from 'node:crypto';
import type { HooklineEvent } from '@hookline/sdk';
import type { Command } from 'commander';
import { webhookSecret } from '../config-file.ts';
import { type Delivered, deliver, receiverUrl } from '../deliver.ts';
import { exitCodes, Failure, usage } from '../failure.ts';
import { follow, sinceOf, subjectOf, typesOf } from '../feed.ts';
import samples from '../generated/sample-events.json' with { type: 'json' };
import { plain } from '../output.ts';
import type { Bind, Run } from '../run.ts';
import { clock } from '../when.ts';

const sampleEvents = samples as unknown as Readonly<Record<string, HooklineEvent>>;
export const eventTypes: readonly string[] = Object.keys(sampleEvents);

export function addEvents(program: Command, bind: Bind): void {
  const choice = `comma-separated: ${eventTypes.join(', ')}`;
  program
    .command('listen')
    .description('forward events to a server on this machine, signed like a webhook')
    .option('--forward-to <address>', 'where to, such as localhost:3000/hook')
    .option('--events <types>', choice)
    .option('--since <time>', 'earlier events first: 10m, 2h, 3d, an ISO time, or beginning')
    .option('--print-secret', 'print the secret that signs, and end')
    .addHelpText(
      'after',
      `
Reads the event feed, so it needs no registered webhook and no tunnel. The secret stays the same across restarts;
HOOKLINE_WEBHOOK_SECRET sets another. Each event is sent once; a receiver that fails is reported.

Example:
  WEBHOOK_SECRET=$(hookline listen --print-secret) PORT=9000 node receiver.ts &
  hookline listen --forward-to localhost:9000`,
    )
    .action(bind(listen));
  program
    .command('trigger <event>')
    .description('send a sample event to an address, signed like a webhook')
    .requiredOption('--to <address>', 'where to, such as localhost:3000/hook')
    .addHelpText(
      'after',
      `
Events: ${eventTypes.join(', ')}

Example:
  hookline trigger schedule.published --to localhost:3000/hook`,
    )
    .action(bind(trigger));
  program
    .command('tail')
    .description('print events as they come')
    .option('--events <types>', choice)
    .option('--since <time>', 'earlier events first: 10m, 2h, 3d, an ISO time, or beginning')
    .action(bind(tail));
}

type FeedOptions = { events?: string; since?: string };

async function listen(
  run: Run,
  options: FeedOptions & { forwardTo?: string; printSecret?: boolean },
): Promise<void> {
  const { out, io } = run;
  const secret = webhookSecret(io.env);
  if (options.printSecret) return out.text(`${secret}\n`);
  if (options.forwardTo === undefined)
    throw usage('--forward-to is needed: an address such as localhost:3000/hook.');
  const url = receiverUrl(options.forwardTo);
  out.say(
    out.note(`Forwarding to ${url}; "hookline listen --print-secret" prints the secret for the receiver.`),
  );
  await watch(run, options, async event => {
    const delivered = await deliver(url, event, secret, io.signal);
    if (!io.signal.aborted) {
      out.entry({ event: event.id, type: event.type, to: url, ...delivered }, () =>
        deliveryLine(run, event, delivered),
      );
    }
  });
}

function deliveryLine({ out }: Run, event: HooklineEvent, { status, error, durationMs }: Delivered): string {
  const result = error === null ? out.style('green', String(status)) : out.style('red', plain(error));
  return `${eventLine(event, out.style('bold', plain(event.type)))}  ${result} ${out.style('dim', `${durationMs} ms`)}`;
}

function eventLine(event: HooklineEvent, type: string): string {
  const subject = subjectOf(event).replace(/\s+/g, ' ');
  return `${plain(clock(event.timestamp))}  ${type}  ${subject.slice(0, 100)}`;
}

async function tail(run: Run, options: FeedOptions): Promise<void> {
  const { out } = run;
  await watch(run, options, async event => {
    out.entry(event, () => eventLine(event, out.style('bold', plain(event.type))));
  });
}

async function watch(
  run: Run,
  options: FeedOptions,
  onEvent: (event: HooklineEvent) => Promise<void>,
): Promise<void> {
  const types = typesOf(options.events, eventTypes);
  const since = sinceOf(options.since, run.io.now());
  await follow(
    run.client(),
    since,
    run.io.signal,
    async event => {
      if (types === null || types.has(event.type)) await onEvent(event);
    },
    () => run.out.say(run.out.note('Waiting for events; Ctrl-C ends.')),
    failure => run.out.say(run.out.note(`${plain(failure.message)} Trying again.`)),
  );
}

async function trigger(run: Run, type: string, options: { to: string }): Promise<void> {
  const sample = sampleEvents[type];
  if (sample === undefined) throw usage(`There is no event "${type}"; there are ${eventTypes.join(', ')}.`);
  const url = receiverUrl(options.to);
  const at = run.io.now().toISOString();
  const event = {
    ...sample,
    id: `event_sample${randomBytes(10).toString('hex')}`,
    timestamp: at,
    createdAt: at,
  };
  const delivered = await deliver(url, event, webhookSecret(run.io.env), run.io.signal);
  run.out.record({ event: event.id, type, to: url, ...delivered }, () => [
    deliveryLine(run, event, delivered),
  ]);
  if (delivered.error === null) return;
  const exitCode = delivered.status === null ? exitCodes.unreachable : exitCodes.refused;
  throw new Failure(exitCode, { code: 'not_delivered', message: `${url}: ${delivered.error}.` });
}
