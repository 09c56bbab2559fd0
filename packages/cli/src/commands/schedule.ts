import { type CreatedSchedule, type CreateSchedule, HooklineError, type PostProblem } from '@hookline/sdk';
import type { Command } from 'commander';
import { exitCodes, Failure, toFailure } from '../failure.ts';
import { findAccount, nameOf } from '../options.ts';
import { plain } from '../output.ts';
import type { Bind, Run } from '../run.ts';
import { checkZone, inWords, parseWhen, systemZone } from '../when.ts';

export function addSchedule(program: Command, bind: Bind): void {
  program
    .command('schedule <contentId>')
    .description('post an approved deck at a time, as a draft unless --publish')
    .option('--account <account>', 'id, @handle or display name (default: the only connected one)')
    .option('--at <time>', 'such as "tomorrow 9:00"; without it the post is sent now')
    .option('--next-slot', 'post in the next free slot of the account')
    .option('--zone <zone>', 'time zone of --at (default: of this machine)')
    .option('--publish', 'post directly instead of as a draft; the key needs schedules:publish')
    .option('--privacy <level>', 'who sees a direct post, such as SELF_ONLY')
    .option('--dry-run', 'check everything and change nothing')
    .addHelpText(
      'after',
      `
Times: "tomorrow 9:00", "fri 18:30", "in 2 hours", "2026-12-24 09:00", ISO 8601.

Examples:
  hookline schedule content_01k9… --at "tomorrow 9:00" --zone Europe/Berlin --dry-run
  hookline schedule content_01k9… --account @maya.makes --publish --privacy SELF_ONLY`,
    )
    .action(bind(schedule));
}

type ScheduleOptions = {
  account?: string;
  at?: string;
  nextSlot?: boolean;
  zone?: string;
  publish?: boolean;
  privacy?: string;
  dryRun?: boolean;
};

async function schedule(run: Run, contentId: string, options: ScheduleOptions): Promise<void> {
  const { out, io } = run;
  const zone = options.zone === undefined ? systemZone() : checkZone(options.zone);
  const when = options.at === undefined ? null : parseWhen(options.at, io.now(), zone);
  const client = run.client();
  const account = await findAccount(client, options.account);
  const body: CreateSchedule = {
    contentId,
    tiktokAccountId: account.id,
    mode: options.publish ? 'publish' : undefined,
    privacyLevel: options.privacy,
    ...(when === null ? {} : { scheduledFor: when.at.toISOString() }),
    ...(options.nextSlot ? { slot: 'next' as const } : {}),
  };
  if (when?.note) out.say(out.note(when.note));
  const problems = options.dryRun ? await findProblems(run, body) : [];
  if (problems.length > 0) {
    const at = when?.at ?? io.now();
    out.record({ postable: false, problems, scheduledFor: at.toISOString() }, () => [
      ...timeLines(run, at, zone),
      ...problems.map(({ slide, code, message }) => {
        const where = slide === null ? '' : `slide ${slide}: `;
        return `${out.style('red', '✗')} ${where}${plain(message)} ${out.style('dim', code)}`;
      }),
    ]);
    const first = problems[0] as PostProblem;
    throw new Failure(exitCodes.refused, {
      code: first.code,
      message:
        problems.length === 1
          ? 'It would be refused.'
          : `It would be refused, for ${problems.length} reasons.`,
    });
  }
  const made = options.dryRun
    ? await client.schedules.create(body, { dryRun: true })
    : await client.schedules.create(body);
  out.record(made, () => [
    options.dryRun
      ? `${out.style('green', '✓')} Nothing prevents it; nothing was changed.`
      : `${out.style('green', '✓')} ${made.id}  ${made.status}`,
    ...timeLines(run, new Date(made.scheduledFor), zone),
    `  ${plain(nameOf(account))}, ${wayOf(made)}`,
    `  “${plain(made.title)}”`,
  ]);
  if (!options.dryRun) out.say(out.note(`hookline why ${made.id}`));
}

function wayOf({ mode, privacyLevel }: Pick<CreatedSchedule, 'mode' | 'privacyLevel'>): string {
  if (mode === 'phone') return 'to be posted by phone';
  return `as a ${mode === 'publish' ? `direct post (${privacyLevel})` : 'draft'}`;
}

function timeLines({ out, io }: Run, at: Date, zone: string): string[] {
  const isNow = Math.abs(at.getTime() - io.now().getTime()) < 60_000;
  const utc = at.toISOString().replace('.000Z', 'Z');
  return [`  ${isNow ? 'now, ' : ''}${inWords(at, zone)}  ${out.style('dim', utc)}`];
}

/** @returns problems of the deck for this account, then the one that the schedule itself would meet */
async function findProblems(run: Run, body: CreateSchedule): Promise<PostProblem[]> {
  const client = run.client();
  const { problems } = await client.content.preflight(body.contentId, {
    tiktokAccountId: body.tiktokAccountId,
    mode: body.mode ?? undefined,
    privacyLevel: body.privacyLevel ?? undefined,
  });
  if (problems.length > 0) return problems;
  try {
    await client.schedules.create(body, { dryRun: true });
    return [];
  } catch (error) {
    const isRefusal = error instanceof HooklineError && toFailure(error).exitCode === exitCodes.refused;
    if (!isRefusal) throw error;
    return [{ code: error.code, slide: null, measured: null, limit: null, message: error.message }];
  }
}
