/** What a person does with the console in a day, at one size. */
import { launchFirefox, openPage, type Page } from './page.ts';

type Ground = {
  /** Where the walk begins: the link that `npm start` prints, or the form. */
  enters: { link: string } | { email: string; password: string };
  /** Makes a deck that waits for approval. */
  writeDeck(hook: string): Promise<string>;
  /** Reads a deck as the API has it. */
  readDeck(id: string): Promise<{
    approvalStatus: string;
    version: number;
    approval: { reason: string | null } | null;
    result: { hook: string };
  }>;
  /** Number of posts that the simulated platform has published or taken into its inbox. */
  countPosts(): Promise<number>;
  /** Waits until it holds. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>;
};

const slides = '[role=group][aria-label=Slides]';
const decision = '[aria-label=Decision]';
const dialog = 'dialog[open]';

async function walk(page: Page, ground: Ground): Promise<void> {
  await signIn(page, ground);
  await decideOnDecks(page, ground);
  await edit(page, ground);
  await schedule(page, ground);
  await automate(page);
  await connect(page);
  await manage(page);
  for (const screen of ['Apps', 'Accounts', 'Numbers', 'Events', 'Credits', 'Usage', 'Audit']) {
    await go(page, screen);
    await page.check(screen);
  }
  await signOut(page);
}

/** Goes to a screen through the navigation. */
async function go(page: Page, screen: string): Promise<void> {
  if (page.device === 'phone') await page.press('button', 'Menu');
  await page.press('link', screen, page.device === 'phone' ? dialog : 'nav');
  await page.sees('heading', screen, 'main');
}

async function signIn(page: Page, { enters }: Ground): Promise<void> {
  if ('link' in enters) {
    await page.open(enters.link);
    await page.sees('button', 'Sign in');
    await page.check('Enter');
  } else {
    await page.open('/console/sign-in');
    await page.sees('button', 'Sign in');
    await page.check('Sign in');
    await page.type('Email', enters.email);
    await page.type('Password', enters.password);
  }
  await page.press('button', 'Sign in');
  await page.sees('heading', 'Approve', 'main');
}

async function decideOnDecks(page: Page, { writeDeck, readDeck, until }: Ground): Promise<void> {
  const names = ['by keyboard', 'by thumb', 'turned down'].map(how => `${page.device}: ${how}`);
  const [byKeyboard = '', byThumb = '', turnedDown = ''] = names;
  const third = await writeDeck(turnedDown);
  const second = await writeDeck(byThumb);
  const first = await writeDeck(byKeyboard);
  await page.open('/console/approve');
  await page.sees('region', byKeyboard);
  await page.sees('button', 'Next slide');
  await page.check('Approve');
  await page.key('ArrowRight', 'ArrowRight', 'ArrowRight');
  await page.shows(4);
  await page.key('ArrowLeft', 'ArrowLeft');
  await page.shows(2);
  await page.swipe(slides);
  await page.shows(3);
  await page.press('button', 'Previous slide');
  await page.shows(2);
  await page.key('a');
  // Within the 5 s in which it can be taken back: a question for a role takes up to 1 s.
  await page.reads(byThumb);
  await page.key('u');
  await page.sees('region', byKeyboard);
  await page.key('a');
  await page.sees('region', byThumb);
  await page.press('button', 'Approve', decision);
  await page.sees('region', turnedDown);
  await page.check('Approved');
  await page.press('button', 'Reject', decision);
  await page.type('Reason', 'Not what the app does');
  await page.check('Reject');
  await page.press('button', 'Reject', dialog);
  // Leaving the screen sends what waits.
  await go(page, 'Posts');
  for (const [id, status] of [
    [first, 'approved'],
    [second, 'approved'],
    [third, 'rejected'],
  ] as const)
    await until(`${id} is ${status}`, async () => (await readDeck(id)).approvalStatus === status);
  await until('the reason is kept', async () => {
    return (await readDeck(third)).approval?.reason === 'Not what the app does';
  });
  await page.sees('link', turnedDown);
  await page.check('Posts');
}

async function edit(page: Page, { writeDeck, readDeck, until }: Ground): Promise<void> {
  const id = await writeDeck(`${page.device}: before`);
  const hook = `${page.device}: after`;
  await page.open(`/console/posts/${id}/edit`);
  await page.sees('heading', 'Edit', 'main');
  const before = await page.pictureOf(`${slides} img`);
  await page.type('Hook', hook);
  await until('the preview is drawn', async () => (await page.pictureOf(`${slides} img`)) !== before);
  await page.check('Edit');
  await page.press('button', 'Save');
  await until('the second version is stored', async () => {
    const { version, result } = await readDeck(id);
    return version === 2 && result.hook === hook;
  });
}

async function schedule(page: Page, { writeDeck, readDeck, countPosts, until }: Ground): Promise<void> {
  const hook = `${page.device}: to post`;
  const id = await writeDeck(hook);
  await page.open(`/console/approve?deck=${id}`);
  await page.sees('region', hook);
  await page.press('button', 'Approve', decision);
  // The button of the toast sends the decision at once.
  await page.press('button', 'Schedule', '[role=status]');
  await page.sees('heading', 'Schedule', 'main');
  await until('it is approved', async () => (await readDeck(id)).approvalStatus === 'approved');
  await page.choose('Account');
  await page.pick('Direct post');
  await page.choose('Privacy', 'Only me');
  await page.press('button', 'Now');
  // The dry run has passed.
  await page.reads('Goes out as soon as you schedule it');
  await page.check('Schedule');
  const before = await countPosts();
  await page.press('button', 'Schedule', 'form');
  await until('the platform has the post', async () => (await countPosts()) === before + 1);
  await page.sees('heading', 'Post', 'main');
  await page.reads('Published');
  await page.check('Post');
  await planDraft(page, await writeDeck(`${page.device}: later`));
}

/** A draft for tomorrow, which the calendar then shows. */
async function planDraft(page: Page, id: string): Promise<void> {
  await page.open(`/console/approve?deck=${id}`);
  await page.sees('region', `${page.device}: later`);
  await page.press('button', 'Approve', decision);
  await page.press('button', 'Schedule', '[role=status]');
  await page.sees('heading', 'Schedule', 'main');
  await page.choose('Account');
  await page.pick('As a draft');
  await page.press('button', 'In 1 hour');
  await page.reads('Goes out');
  await page.press('button', 'Schedule', 'form');
  await page.sees('heading', 'Post', 'main');
  await go(page, 'Calendar');
  await page.reads(`${page.device}: later`);
  await page.check('Calendar');
}

async function automate(page: Page): Promise<void> {
  const topic = `${page.device}: what beginners ask`;
  await go(page, 'Automations');
  await page.press('button', 'New automation');
  await page.choose('Account');
  await page.type('Topic', topic);
  await page.check('Automations new');
  await page.press('button', 'Create');
  await page.reads(topic);
  await page.press('button', 'Pause', { of: 'article', text: topic });
  await page.reads('Paused');
  await page.check('Automations');
}

async function connect(page: Page): Promise<void> {
  const address = `https://example.com/${page.device}`;
  await go(page, 'Webhooks');
  await page.press('button', 'New endpoint');
  await page.type('Address', address);
  await page.check('Webhooks new');
  await page.press('button', 'Create');
  await page.press('button', 'I have stored it', dialog);
  await page.reads(address);
  await page.check('Webhooks');
}

async function manage(page: Page): Promise<void> {
  const name = `Key of the ${page.device}`;
  await go(page, 'Keys');
  await page.pick('Agent');
  await page.type('Name', name);
  await page.press('button', 'Create');
  await page.sees('button', 'Copy', dialog);
  await page.check('Keys shown once');
  await page.press('button', 'I have stored it', dialog);
  await page.press('button', 'Revoke', { of: 'li', text: name });
  await page.check('Keys revoke');
  await page.press('button', 'Revoke', dialog);
  await page.missing(`Revoke ${name}?`);
  await page.reads('Revoked');
  await page.check('Keys');

  const email = `invited-${page.device}@example.com`;
  await go(page, 'Members');
  await page.type('Email', email);
  await page.press('button', 'Invite');
  await page.press('button', 'I have stored it', dialog);
  await page.reads(email);
  await page.check('Members');

  await go(page, 'Settings');
  await page.type('Workspace name', `Studio on the ${page.device}`);
  await page.press('button', 'Save');
  await page.reads('Saved');
  await page.check('Settings');
}

async function signOut(page: Page): Promise<void> {
  if (page.device === 'phone') await page.press('button', 'Menu');
  await page.press('button', 'Sign out', page.device === 'phone' ? dialog : undefined);
  await page.sees('button', 'Sign in');
  await page.check('Signed out');
  await page.open('/console/settings');
  await page.sees('button', 'Sign in');
}

type Walked = { version: string; states: Record<string, number>; complaints: string[] };
type Given = Omit<Ground, 'enters'> & { link: string; email: string; password: string };

/** The desktop comes by the link, which is good for one sign-in; the phone by the form. */
export async function walkInFirefox(
  executablePath: string,
  url: string,
  folder: string,
  { link, email, password, ...ground }: Given,
): Promise<Walked> {
  const browser = await launchFirefox(executablePath);
  const walked: Walked = { version: await browser.version(), states: {}, complaints: [] };
  try {
    for (const device of ['desktop', 'phone'] as const) {
      const page = await openPage(browser, device, url, folder);
      try {
        await walk(page, { ...ground, enters: device === 'desktop' ? { link } : { email, password } });
      } catch (error) {
        await page.keepPicture('broke-off');
        const { message, stack = '' } = error as Error;
        const where = /walk\.ts:\d+/.exec(stack)?.[0];
        walked.complaints.push(`${device} at ${where}: ${message.split('\n')[0]}`);
      }
      walked.states[`states on a ${device}`] = page.checked();
      walked.complaints.push(...page.complaints);
      await page.close();
    }
  } finally {
    await browser.close();
  }
  return walked;
}
