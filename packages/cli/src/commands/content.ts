import { createHash, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BatchOutcome,
  type Content,
  type CreateContent,
  itemsOfList,
  type Job,
  type ListContentQuery,
  textOfList,
} from '@hookline/sdk';
import type { Command } from 'commander';
import { slideTexts } from '../deck.ts';
import { exitCodes, Failure, usage } from '../failure.ts';
import type { Io, Style } from '../io.ts';
import { approveUrl } from '../links.ts';
import { findApp, readCount, readSeconds, readSlides } from '../options.ts';
import { plain } from '../output.ts';
import { showSlide } from '../pictures.ts';
import { type Bind, findConsole, type Run } from '../run.ts';
import { distance } from '../when.ts';

export function addContent(program: Command, bind: Bind): void {
  const content = program.command('content').description('decks: texts and slides');
  content
    .command('create')
    .description('write and draw a deck; costs 1 credit when it succeeds')
    .option('--app <app>', 'id or name (default: the only one there is)')
    .option('--hook <text>', 'the first slide, word for word')
    .option('--topic <text>', 'what the deck is about')
    .option('--template <id>', 'look of the slides; "none" for texts alone', 'auto')
    .option('--archetype <name>', 'listicle, transformation, pov_results, authority or motivational')
    .option('--slides <n>', 'how many, from 2 to 10', readSlides)
    .option(
      '--slides-file <path>',
      'your own texts, with --hook: a slide a line, or JSON of a brief; "-" is stdin',
    )
    .option('--pictures <files...>', 'your finished slides, in order, with --hook as the name of the deck')
    .option('--closing <text>', 'your closing slide, with --slides-file')
    .option('--cta <mode>', 'soft, direct or none')
    .option('--wait', 'wait until it is ready or failed')
    .option('--timeout <seconds>', 'longest wait', readSeconds, 120)
    .option('--new', 'make another deck even if the same command made one within 24 hours')
    .option('--no-picture', 'do not show the first slide')
    .addHelpText(
      'after',
      `
The same command within 24 hours answers the same deck and charges nothing, so that a script can repeat it.

Examples:
  hookline content create --app Pebblo --topic "morning habits" --wait
  hookline content create --hook "5 habits small enough for a bad day" --json | jq -r .id
  printf 'Water from below\\nMist, then wait\\n' | hookline content create --hook "What ferns want" --slides-file -
  hookline content create --hook "Spring sale" --pictures 1.png 2.png 3.png`,
    )
    .action(bind(createContent));
  content
    .command('import <file>')
    .description('make a deck of each row of a list; 1 credit each, when it succeeds; "-" is stdin')
    .option('--app <app>', 'id or name, where a row has no appId (default: the only one there is)')
    .option('--template <id>', 'look of the slides; "none" for texts alone', 'auto')
    .option('--wait', 'wait until each is ready or failed')
    .option('--timeout <seconds>', 'longest wait', readSeconds, 600)
    .option('--new', 'make them again even if the same list was sent within 24 hours')
    .addHelpText(
      'after',
      `
CSV with a line of field names (topic, hook, slideCount, externalId ...), a JSON list of briefs, or a topic a line.
Rows that are refused stop no other. The same list within 24 hours makes only what was refused.

Example:
  printf 'topic,slideCount\\nmorning habits,5\\nsleep,7\\n' | hookline content import -`,
    )
    .action(bind(importContent));
  content
    .command('ls')
    .description('list decks, newest first')
    .option('--app <app>', 'only of this app, by id or name')
    .option('--status <status>', 'queued, running, ready or failed')
    .option('--approval <status>', 'pending, approved or rejected')
    .option('--limit <n>', 'how many', readCount, 20)
    .action(bind(listContent));
  content
    .command('get <contentId>')
    .description('one deck with its texts')
    .option('--no-picture', 'do not show the first slide')
    .action(bind(getContent));
  content
    .command('download <contentId> [file]')
    .description('its slides and texts as a ZIP file (default: <contentId>.zip)')
    .action(bind(downloadContent));
}

type CreateOptions = {
  app?: string;
  hook?: string;
  topic?: string;
  template: string;
  archetype?: string;
  slides?: number;
  slidesFile?: string;
  pictures?: string[];
  closing?: string;
  cta?: string;
  wait?: boolean;
  timeout: number;
  new?: boolean;
  picture: boolean;
};

async function createContent(run: Run, options: CreateOptions): Promise<void> {
  let isReplayed = false;
  const client = run.client(response => {
    isReplayed = response.headers.get('idempotent-replayed') === 'true';
  });
  const appId = await findApp(client, options.app);
  const brief = {
    hook: options.hook,
    closing: options.closing,
    topic: options.topic,
    archetype: options.archetype,
    slideCount: options.slides,
    ctaMode: options.cta,
    templateId: options.template === 'none' ? undefined : options.template,
    ...(options.slidesFile === undefined ? {} : await readGiven(run.io, options.slidesFile)),
    ...(options.pictures && (await uploadSlides(run, appId, options))),
  };
  const body = { appId, type: 'slideshow', brief } as CreateContent;
  const digest = sha256(run.access().baseUrl, JSON.stringify(body));
  const began = run.io.now().getTime();
  const ticking = setInterval(() => {
    run.out.progress(`Writing and drawing… ${Math.round((run.io.now().getTime() - began) / 1000)} s`);
  }, 250);
  const create = async (idempotencyKey: string): Promise<{ content: Content; isReplay: boolean }> => {
    const content = await client.content.create(body, { idempotencyKey });
    const isReplay = isReplayed;
    // What is replayed is the answer of then.
    return { content: isReplay ? await client.content.get(content.id) : content, isReplay };
  };
  let content: Content;
  try {
    let made = await create(options.new ? randomUUID() : keyOf(digest));
    while (made.isReplay && made.content.status === 'failed') {
      const ago = distance(made.content.createdAt, run.io.now());
      run.out.say(run.out.note(`The same command made a deck ${ago} that failed: making another.`));
      // A repeat of this command follows the same keys to the deck that did not fail.
      made = await create(keyOf(sha256(digest, made.content.id)));
    }
    content = made.content;
    if (made.isReplay) {
      const ago = distance(content.createdAt, run.io.now());
      run.out.say(run.out.note(`The same command made this deck ${ago}; --new makes another.`));
    }
    if (options.wait && isOpen(content))
      content = await client.waitFor(content.id, { withinMs: options.timeout * 1000 });
  } finally {
    clearInterval(ticking);
    run.out.progress(null);
  }
  await printContent(run, content, options.picture);
  if (content.status === 'failed' && content.error) throw new Failure(exitCodes.refused, content.error);
  if (content.status === 'ready' && content.approvalStatus === 'pending') {
    run.out.say(run.out.note('Waits for approval by a person: hookline review, or'));
    run.out.say(`  ${approveUrl(await findConsole(run), content.id)}`);
  }
}

// The API takes so many at a time.
const batchMax = 50;

type ImportOptions = { app?: string; template: string; wait?: boolean; timeout: number; new?: boolean };

async function importContent(run: Run, file: string, options: ImportOptions): Promise<void> {
  const client = run.client();
  const { app, template } = options;
  let items: CreateContent[];
  try {
    const list = await readText(run.io, file);
    items = itemsOfList(list, { appId: '', ...(template !== 'none' && { templateId: template }) });
  } catch (error) {
    throw usage(`${file}: ${(error as Error).message}`);
  }
  if (items.length === 0) throw usage(`${file} has no rows`);
  const others = items.filter(({ appId }) => appId === '');
  const appId = others.length > 0 || app !== undefined ? await findApp(client, app) : '';
  for (const item of others) item.appId = appId;
  const again = options.new ? randomUUID() : '';
  const rows: (BatchOutcome & { row: number })[] = [];
  let stopped: unknown = null;
  try {
    for (let at = 0; at < items.length; at += batchMax) {
      const batch = { items: items.slice(at, at + batchMax) };
      const digest = sha256(run.access().baseUrl, String(at), JSON.stringify(batch), again);
      const options = { idempotencyKey: keyOf(digest) };
      const { outcomes } = await client.content.createBatch(batch, options);
      rows.push(...outcomes.map((outcome, index) => ({ row: at + index + 1, ...outcome })));
    }
    if (options.wait) await waitForAll(run, rows, options.timeout);
  } catch (error) {
    // The decks of the batches before are being made: their ids are printed all the same.
    if (rows.length === 0) throw error;
    stopped = error;
  }
  run.out.table(
    rows,
    [
      { title: 'ROW', of: ({ row }) => String(row) },
      { title: 'STATE', of: ({ job }) => job?.status ?? 'refused' },
      { title: 'ID', of: ({ job }) => job?.id ?? '' },
      { title: 'WHY', of: ({ job, error }) => (error ?? job?.error)?.message ?? '' },
    ],
    '',
  );
  if (stopped !== null) throw stopped;
  const refused = rows.find(({ error }) => error !== null)?.error;
  if (refused) throw new Failure(exitCodes.refused, refused, 'Correct these rows in a list of their own.');
  const failed = rows.find(({ job }) => job?.error)?.job?.error;
  if (failed) throw new Failure(exitCodes.refused, failed);
  if (!options.wait) run.out.say(run.out.note('They are being made: hookline content ls'));
}

/** Replaces the jobs by what they have become. @throws Failure `wait_ran_out` */
async function waitForAll(run: Run, rows: BatchOutcome[], seconds: number): Promise<void> {
  const { jobs } = run.client();
  const until = Date.now() + seconds * 1_000;
  for (const row of rows) {
    while (row.job !== null) {
      run.out.progress(`Waiting for ${row.job.id}…`);
      row.job = await jobs.get(row.job.id);
      if (!isOpen(row.job)) break;
      if (Date.now() > until) {
        const message = `${row.job.id} is still ${row.job.status} after ${seconds} s.`;
        throw new Failure(exitCodes.waitedInVain, { code: 'wait_ran_out', message });
      }
      await delay(1_000, undefined, { signal: run.io.signal });
    }
  }
}

async function readText({ stdin }: Io, path: string): Promise<string> {
  return textOfList(path === '-' ? await buffer(stdin) : await readFile(path));
}

/** Given texts: a slide a line, or JSON with the fields of a brief. */
async function readGiven(io: Io, path: string): Promise<Record<string, unknown>> {
  let given: string;
  try {
    given = await readText(io, path);
    if (/^\s*\{/.test(given)) return JSON.parse(given);
  } catch (error) {
    throw usage(`--slides-file: ${(error as Error).message}`);
  }
  const lines = given.split('\n').map(line => line.trim());
  return { slides: lines.filter(line => line !== '').map(line => ({ text: line })) };
}

/**
 * The key of each upload is made from its file, so that the same command names the same pictures, unless it is for
 * another deck: they may have been deleted.
 */
async function uploadSlides(
  run: Run,
  appId: string,
  { pictures: paths = [], new: isNew }: Pick<CreateOptions, 'pictures' | 'new'>,
) {
  const pictureIds: string[] = [];
  for (const [i, path] of paths.entries()) {
    run.out.progress(`Uploading slide ${i + 1} of ${paths.length}…`);
    const file = await readFile(path).catch((error: Error) => {
      throw usage(`--pictures: ${error.message}`);
    });
    const idempotencyKey = isNew ? randomUUID() : keyOf(sha256(run.access().baseUrl, appId, file));
    const picture = await run.client().apps.addPicture(appId, file, { kind: 'slide', idempotencyKey });
    pictureIds.push(picture.id);
  }
  return { templateId: 'picture', pictureIds };
}

function sha256(...texts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

const keyOf = (hash: string): string => `cli-${hash.slice(0, 40)}`;

const isOpen = ({ status }: Pick<Job, 'status'>): boolean => status === 'queued' || status === 'running';

async function listContent(
  run: Run,
  options: { app?: string; status?: string; approval?: string; limit: number },
): Promise<void> {
  const client = run.client();
  const appId = options.app === undefined ? undefined : await findApp(client, options.app);
  const query = {
    appId,
    status: options.status,
    approvalStatus: options.approval,
    limit: Math.min(100, options.limit),
  } as ListContentQuery;
  const rows = await client.content.list(query).toArray(options.limit);
  run.out.table(
    rows,
    [
      { title: 'ID', of: row => row.id },
      { title: 'STATE', of: stateOf, style: row => stateStyles[stateOf(row)] },
      { title: 'HOOK', of: row => row.result?.hook ?? row.error?.message ?? '' },
      { title: 'SLIDES', of: row => String(row.images.length) },
      { title: 'MADE', of: row => distance(row.createdAt, run.io.now()) },
    ],
    'There are no decks: hookline content create',
  );
}

async function getContent(run: Run, contentId: string, { picture }: { picture: boolean }): Promise<void> {
  const content = await run.client().content.get(contentId);
  await printContent(run, content, picture);
}

async function downloadContent(run: Run, contentId: string, file = `${contentId}.zip`): Promise<void> {
  const archive = await run.client().content.getArchive(contentId);
  await writeFile(file, archive).catch((error: Error) => {
    throw usage(error.message);
  });
  run.out.record({ file }, () => [file]);
}

/** In one word: what somebody has to do about it, or that it failed. */
function stateOf(content: Content): string {
  return content.status === 'ready' ? content.approvalStatus : content.status;
}

const stateStyles: Readonly<Record<string, Style>> = {
  pending: 'yellow',
  approved: 'green',
  rejected: 'red',
  failed: 'red',
};

const notices: Record<string, string | undefined> = {
  topic_needs_model:
    'It is about the app: only a text model, connected in the console under Settings, writes about a topic.',
  listing_too_short:
    'It is shorter, or general lines fill it: the listing of the app has few lines for slides.',
};

async function printContent(run: Run, content: Content, hasPicture: boolean): Promise<void> {
  if (hasPicture) await showSlide(run, content, 1);
  run.out.record(content, () => describeContent(run, content));
}

/** The texts of a deck, slide by slide. */
export function describeContent({ out, io }: Run, content: Content): string[] {
  const state = stateOf(content);
  const head = [
    out.style(stateStyles[state] ?? 'bold', plain(state)),
    `version ${content.version}`,
    `${content.images.length} slides`,
    `${content.costCharged} ${content.costCharged === 1 ? 'credit' : 'credits'}`,
    `made ${distance(content.createdAt, io.now())}`,
    ...(content.writer ? [`by ${plain(content.writer.name)}`] : []),
  ].join(' · ');
  const lines = [`${out.style('bold', plain(content.id))}  ${head}`];
  if (content.error) lines.push(`  ${plain(content.error.message)}`);
  if (content.notice) lines.push(`  ${notices[content.notice] ?? plain(content.notice)}`);
  const { result, approval } = content;
  if (result !== null) {
    slideTexts(content).forEach((text, at) => {
      const number = out.style('dim', String(at + 1).padStart(3));
      lines.push(`${number}  ${at === 0 ? out.style('bold', plain(text)) : plain(text)}`);
    });
    lines.push(
      '',
      `     ${plain(result.caption)}`,
      `     ${out.style('dim', plain(result.hashtags.join(' ')))}`,
    );
  }
  if (approval?.reason) lines.push('', `     Rejected: ${plain(approval.reason)}`);
  return lines;
}
