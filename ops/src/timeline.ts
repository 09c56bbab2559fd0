import { findScheduleById, listTimeline, type ScheduleRow } from '@hookline/scheduling/ops';
import { ConfigurationError } from '@hookline/shared/kernel';
import { defineCommand, type Env, type Print } from './command.ts';
import { withTarget } from './target.ts';

export const command = defineCommand({
  does: 'shows what happened to a schedule, step by step, as the API reports it',
  words: ['<scheduleId>'],
  run: ({ env, given, print }) => showTimeline(env, given[0] ?? '', print),
});

/** @returns false when there is no such schedule. */
async function showTimeline(env: Env, id: string, print: Print): Promise<boolean> {
  if (!/^schedule_[0-9a-z]{26}$/.test(id))
    throw new ConfigurationError('<scheduleId> must be a schedule’s id, schedule_ and 26 characters.');
  return await withTarget(env, {}, async target => {
    const db = target.openSchema('scheduling');
    const row = await findScheduleById(db, id);
    if (!row) {
      print(`${id} is not there: it never was, or it was withdrawn.`);
      return false;
    }
    for (const line of describe(row)) print(line);
    for (const { at, what, detail } of await listTimeline(db, id))
      print(`${at}  ${what.padEnd(16)}${detail ?? ''}`.trimEnd());
    return true;
  });
}

function describe(row: ScheduleRow): string[] {
  const { id, status, outcome, mode, scheduledFor, accountId, platformAccountId, failure } = row;
  return [
    `${id}  ${outcome ?? status}  ${mode} for ${scheduledFor.toISOString()}`,
    `${row.contentId} version ${row.contentVersion} to ${platformAccountId} of ${accountId}`,
    ...(row.platformPostUrl ? [row.platformPostUrl] : []),
    ...(failure ? [`${failure.code}: ${failure.message}`] : []),
    ...(failure?.platformMessage ? [`the platform said: ${failure.platformMessage}`] : []),
  ];
}
