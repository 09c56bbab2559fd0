import type { Content, CreatedSchedule, Hookline, TimelineEntry } from '@hookline/sdk';
import type { Command } from 'commander';
import { usage } from '../failure.ts';
import { approveUrl, pageUrl } from '../links.ts';
import { plain } from '../output.ts';
import { type Bind, findConsole, type Run } from '../run.ts';
import { clock, distance } from '../when.ts';

export function addWhy(program: Command, bind: Bind): void {
  program
    .command('why <id>')
    .description('what happened to a deck or a schedule, and what comes next')
    .addHelpText(
      'after',
      `
Examples:
  hookline why schedule_01k9…
  hookline why content_01k9…`,
    )
    .action(bind(why));
}

async function why(run: Run, id: string): Promise<void> {
  const client = run.client();
  const kind = id.split('_', 1)[0];
  if (kind === 'schedule') return await whySchedule(run, client, id);
  if (kind === 'content') return await whyContent(run, client, id);
  throw usage(`"${id}" is neither a schedule_… nor a content_… id.`);
}

async function whySchedule(run: Run, client: Hookline, id: string): Promise<void> {
  const schedule = await client.schedules.get(id);
  const next = nextOfSchedule(schedule, run.io.now(), await findConsole(run));
  run.out.record({ ...schedule, next }, () => [
    `${run.out.style('bold', id)}  ${schedule.status}${schedule.outcome ? `, ${schedule.outcome}` : ''}`,
    ...timelineLines(run, schedule.timeline),
    ...(schedule.failure ? [`  ${run.out.style('red', plain(schedule.failure.message))}`] : []),
    `${run.out.style('cyan', '→')} ${plain(next)}`,
  ]);
}

export function nextOfSchedule(schedule: CreatedSchedule, now: Date, console: string): string {
  const { id, status, mode, failure, waitsBecause, scheduledFor } = schedule;
  if (waitsBecause === 'approval') return `It waits for approval: ${approveUrl(console, schedule.contentId)}`;
  if (waitsBecause === 'sending_paused') {
    return `An owner lets posts go on: ${pageUrl(console, 'settings')}`;
  }
  if (waitsBecause === 'kept_back') {
    return 'The server was restored, and it may have been posted: look at the account, then move or withdraw it.';
  }
  if (status === 'pending') {
    const when = new Date(scheduledFor) > now ? distance(scheduledFor, now) : 'next';
    return `It is ${mode === 'phone' ? 'due' : 'sent'} ${when}.`;
  }
  if (status === 'sending') return 'It is being sent.';
  if (status === 'due') return `Post its slides by hand: ${console}/due/${id}`;
  if (failure?.code === 'outcome_unknown') {
    return 'Nobody knows whether it was posted: look at the account before anything is sent again.';
  }
  if (failure?.retryable) return `Try again: hookline api POST /schedules/${id}/retry`;
  if (failure) return `It is not sent again. Make another: hookline schedule ${schedule.contentId}`;
  if (schedule.outcome === 'sent_to_drafts') return 'Open the draft in the TikTok app and post it.';
  return schedule.platformPostUrl ?? 'It is on the platform.';
}

async function whyContent(run: Run, client: Hookline, id: string): Promise<void> {
  const content = await client.content.get(id);
  const schedules = await client.schedules.list({ contentId: id, limit: 20 }).toArray(20);
  const { data } = await client.request('GET', `/content/${encodeURIComponent(id)}/timeline`);
  const timeline = data as Moment[];
  const next = nextOfContent(content, schedules, await findConsole(run));
  run.out.record(
    { id, status: content.status, approvalStatus: content.approvalStatus, timeline, schedules, next },
    () => [
      `${run.out.style('bold', id)}  ${content.status}, ${content.approvalStatus}, version ${content.version}`,
      ...timelineLines(run, timeline),
      `${run.out.style('cyan', '→')} ${plain(next)}`,
    ],
  );
}

function nextOfContent(content: Content, schedules: readonly CreatedSchedule[], console: string): string {
  if (content.status === 'failed') return content.error?.message ?? 'It failed and cost nothing.';
  if (content.status !== 'ready') return `It is ${content.status}.`;
  if (content.changesRequested) {
    return `Changes were requested (${content.changesRequested.reason}). An edit puts it up for approval again.`;
  }
  if (content.approvalStatus === 'pending') {
    return `It waits for approval: hookline review, or ${approveUrl(console, content.id)}`;
  }
  if (content.approvalStatus === 'rejected') {
    const why = content.approval?.reason;
    return `It was rejected${why ? ` (${why})` : ''}. An edit puts it up for approval again.`;
  }
  const open = schedules.find(({ status }) => status !== 'failed') ?? schedules[0];
  return open === undefined ? `Schedule it: hookline schedule ${content.id}` : `hookline why ${open.id}`;
}

/** A moment of a content names more than one of a schedule. */
type Moment = TimelineEntry & {
  by?: { kind: string; name: string } | null;
  version?: number | null;
  scheduleId?: string | null;
};

function timelineLines({ out }: Run, timeline: readonly Moment[]): string[] {
  const wide = Math.max(0, ...timeline.map(({ what }) => what.length));
  return timeline.map(({ at, what, detail, by, version, scheduleId }) => {
    const facts = [
      detail,
      version ? `version ${version}` : null,
      by ? `by ${by.kind === 'reviewer' ? 'the reviewer ' : ''}${by.name}` : null,
      scheduleId ?? null,
    ];
    const text = facts.filter(fact => fact !== null && fact !== '').join(' · ');
    return `  ${out.style('dim', clock(at))}  ${plain(what).padEnd(wide)}  ${plain(text)}`;
  });
}
