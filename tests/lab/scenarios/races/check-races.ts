/** Judges races from DELETE's answers, the posts at the platform and the rows in the database. */
import { openVerdicts, type Verdicts } from '../../kit/checks/verdict.ts';
import { isWithinWindow, type RaceLine } from './delete-races.ts';

export type RaceFigures = {
  races: number;
  within: number;
  deleted: number;
  alreadySending: number;
  alreadySent: number;
  /** Deleted, but posted. */
  deletedAndPosted: number;
};

/** @param posts every post at the platform by its title; `rows`: the remaining schedules, by id */
export function checkRaces(
  lines: readonly RaceLine[],
  posts: readonly { title: string }[],
  rows: ReadonlyMap<string, { status: string }>,
): { verdicts: Verdicts; figures: RaceFigures } {
  const verdicts = openVerdicts(['deleted or posted', 'answer']);
  const counts = new Map<string, number>();
  for (const { title } of posts) counts.set(title, (counts.get(title) ?? 0) + 1);
  let deletedAndPosted = 0;
  for (const { title, id, answer } of lines) {
    const count = counts.get(title) ?? 0;
    const row = rows.get(id);
    const what = `${title} was answered ${answer}, is ${row?.status ?? 'gone'} and has ${count} posts`;
    const isKnown = ['deleted', 'already_sending', 'already_sent'].includes(answer);
    verdicts.find('answer', isKnown ? 'ok' : 'unexpected', what);
    if (answer === 'deleted' && count > 0) deletedAndPosted += 1;
    if (count > 1 || (answer === 'deleted' && count > 0))
      verdicts.find('deleted or posted', 'duplicated', what);
    else if (answer === 'deleted') verdicts.find('deleted or posted', row ? 'unexpected' : 'ok', what);
    else verdicts.find('deleted or posted', row?.status === 'sent' && count === 1 ? 'ok' : 'lost', what);
  }
  const answered = (answer: string): number => lines.filter(line => line.answer === answer).length;
  return {
    verdicts,
    figures: {
      races: lines.length,
      within: lines.filter(isWithinWindow).length,
      deleted: answered('deleted'),
      alreadySending: answered('already_sending'),
      alreadySent: answered('already_sent'),
      deletedAndPosted,
    },
  };
}
