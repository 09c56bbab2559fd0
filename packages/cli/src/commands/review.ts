import { setTimeout as delay } from 'node:timers/promises';
import type { Content, Hookline } from '@hookline/sdk';
import type { Command } from 'commander';
import { closingField } from '../deck.ts';
import { isRefusal, noAccess, toFailure } from '../failure.ts';
import { type Keyboard, openKeyboard } from '../keyboard.ts';
import { pageUrl } from '../links.ts';
import { findApp, isNotFound } from '../options.ts';
import { plain } from '../output.ts';
import { showSlide } from '../pictures.ts';
import { type Bind, findConsole, type Run } from '../run.ts';
import { describeContent } from './content.ts';

export function addReview(program: Command, bind: Bind): void {
  program
    .command('review')
    .description('approve or reject waiting decks, one by one; people only')
    .option('--app <app>', 'only of this app, by id or name')
    .option('--with-key', 'decide with the key in use instead of signing in; it needs content:approve')
    .addHelpText(
      'after',
      `
Needs a terminal: a script is not a person. Without one it prints the address of the console and ends with 4.
Asks for your password, and decides as you. The session ends with the command.`,
    )
    .action(bind(review));
}

const rowsMax = 100;
/** A deck has to be seen before a key decides on it; shorter than any person's reaction to a picture. */
const settleMs = 300;
const keys = 'a approve   r reject   e edit   → next slide   s skip   q quit';

async function review(run: Run, options: { app?: string; withKey?: boolean }): Promise<void> {
  const access = run.access();
  if (!run.io.canAsk || !run.io.stdout.isTty) {
    const url = pageUrl(await findConsole(run), 'approve');
    run.out.record({ url }, () => [url]);
    throw noAccess('Decks are approved by a person, and this is not a terminal.', `Open ${url}`);
  }
  if (options.withKey) return await reviewAs(run, run.client(), options.app);
  const { signInAsPerson } = await import('../person.ts');
  const person = await signInAsPerson(run, access);
  try {
    await reviewAs(run, person.client, options.app);
  } finally {
    await person.signOut();
  }
}

async function reviewAs(run: Run, client: Hookline, app: string | undefined): Promise<void> {
  const appId = app === undefined ? undefined : await findApp(client, app);
  const waiting = await client.content
    .list({ appId, status: 'ready', approvalStatus: 'pending', limit: rowsMax })
    .toArray(rowsMax);
  if (waiting.length === 0) run.out.say('Nothing waits for approval.');
  const counts = { approved: 0, rejected: 0, skipped: 0 };
  const keyboard = openKeyboard(run.io.stdin, run.io.signal);
  try {
    for (const [at, { id }] of waiting.entries()) {
      run.out.say('');
      run.out.say(run.out.note(`Deck ${at + 1} of ${waiting.length}`));
      const decision = await decideOn(run, client, keyboard, id);
      if (decision === 'quit') break;
      counts[decision] += 1;
    }
  } finally {
    keyboard.close();
  }
  const { approved, rejected, skipped } = counts;
  run.out.record(counts, () => [`${approved} approved, ${rejected} rejected, ${skipped} skipped`]);
}

type Decision = 'approved' | 'rejected' | 'skipped' | 'quit';

/** Shows the deck as it is now, and again after each edit, by whomever. */
async function decideOn(run: Run, client: Hookline, keyboard: Keyboard, id: string): Promise<Decision> {
  const { askText } = await import('../person.ts');
  for (;;) {
    const content = await client.content.get(id).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      return null;
    });
    if (content === null) {
      run.out.say(run.out.note('The deck is gone.'));
      return 'skipped';
    }
    if (content.status !== 'ready' || content.approvalStatus !== 'pending' || content.changesRequested) {
      const what = content.changesRequested ? 'changes requested' : content.approvalStatus;
      run.out.say(run.out.note(`Decided already: ${what}.`));
      return 'skipped';
    }
    let slide = 1;
    await showSlide(run, content, slide);
    for (const line of describeContent(run, content)) run.out.say(line);
    // Keys pressed in between are dropped.
    await delay(settleMs);
    run.out.say(run.out.note(keys));
    for (;;) {
      const key = await keyboard.next();
      if (key === 'q') return 'quit';
      if (key === 's') return 'skipped';
      if (key === ' ' || key === '\u001b[C') {
        slide = (slide % Math.max(1, content.images.length)) + 1;
        run.out.say(run.out.note(`Slide ${slide} of ${content.images.length}`));
        await showSlide(run, content, slide);
        continue;
      }
      if (key !== 'a' && key !== 'r' && key !== 'e') continue;
      try {
        const { version, approvalStatus } = content;
        if (key === 'e') {
          if (await edit(run, client, keyboard, content)) break;
          continue;
        }
        if (key === 'a') {
          await client.content.approve(id, { version, approvalStatus });
          run.out.say(`${run.out.style('green', '✓')} Approved version ${version}.`);
          return 'approved';
        }
        const reason = await keyboard.lend(() =>
          askText('Why? It helps the next deck; leave empty for no reason', '', false),
        );
        await client.content.reject(id, { version, approvalStatus, ...(reason === '' ? {} : { reason }) });
        run.out.say(`${run.out.style('red', '✗')} Rejected version ${version}.`);
        return 'rejected';
      } catch (error) {
        // Another version than the one shown, a field that is too long, a role that may not: look again.
        if (!isRefusal(error)) throw error;
        run.out.progress(null);
        run.out.failure(toFailure(error));
        break;
      }
    }
  }
}

/** @returns false when the deck is still the one that was shown */
async function edit(run: Run, client: Hookline, keyboard: Keyboard, content: Content): Promise<boolean> {
  const { askText, choose } = await import('../person.ts');
  const { result } = content;
  if (result === null) return false;
  const closing = closingField(content);
  const slides = result.bodySlides.map(({ text }, at) => ({
    value: `slide ${at}`,
    label: `Slide ${at + 2}`,
    hint: plain(text).slice(0, 60),
  }));
  const fields = [
    { value: 'hook', label: 'Hook', hint: plain(result.hook) },
    ...slides,
    ...(closing === null ? [] : [{ value: closing, label: 'Closing line', hint: plain(result[closing]) }]),
    { value: 'caption', label: 'Caption', hint: plain(result.caption).slice(0, 60) },
    { value: 'nothing', label: 'Nothing' },
  ];
  const field = await keyboard.lend(() => choose('What do you want to change?', fields));
  if (field === 'nothing') return false;
  const at = field.startsWith('slide ') ? Number(field.slice(6)) : -1;
  const before =
    at >= 0
      ? (result.bodySlides[at]?.text ?? '')
      : String(result[field as 'hook' | 'ctaSoft' | 'ctaHard' | 'caption']);
  const text = await keyboard.lend(() => askText('New text', before));
  if (text === before) return false;
  const body =
    at >= 0
      ? { bodySlides: result.bodySlides.map((slide, index) => (index === at ? { ...slide, text } : slide)) }
      : { [field]: text };
  // An edit names no version, and it replaces all body slides and the decision: a colleague's would be lost.
  const now = await client.content.get(content.id);
  if (now.version !== content.version || now.approvalStatus !== content.approvalStatus) {
    run.out.say(run.out.note('The deck has changed since you saw it: your text was not saved.'));
    return true;
  }
  run.out.progress('Drawing…');
  await client.content.update(content.id, body);
  run.out.progress(null);
  return true;
}
