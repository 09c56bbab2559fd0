import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
  type Route,
} from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { findViolations } from '../../lab/kit/checks/axe.ts';
import { repositoryRoot } from '../../lab/kit/product/processes.ts';
import { findLayoutFaults } from './layout.ts';
import type { Person } from './person.ts';

export type Device = 'phone' | 'desktop';
type Size = { width: number; height: number };

const devices = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
} as const;

/** The deck that Approve shows. */
export function deckOf(page: Page, hook: string): Locator {
  return page.getByRole('region', { name: hook, exact: true });
}

export function decide(page: Page, name: 'Approve' | 'Reject' | 'Edit'): Locator {
  return page.getByRole('group', { name: 'Decision' }).getByRole('button', { name, exact: true });
}

/** The day and the time of day that are chosen, as YYYY-MM-DDTHH:MM. */
export async function readTime(scope: Page | Locator): Promise<string> {
  const fields = ['Day', 'Time'].map(name => scope.getByLabel(name, { exact: true }).inputValue());
  return (await Promise.all(fields)).join('T');
}

export async function fillTime(scope: Page | Locator, local: string): Promise<void> {
  await scope.getByLabel('Day', { exact: true }).fill(local.slice(0, 10));
  await scope.getByLabel('Time', { exact: true }).fill(local.slice(11));
}

/** From the menu of a row. */
export async function choose(row: Locator, name: string): Promise<void> {
  await row.getByRole('button', { name: /^More for/ }).click();
  await row.getByRole('menuitem', { name, exact: true }).click();
}

export const refusal = 'Too many requests. Retry after 24s.';

/** Answers as the server does to a session that has used up its requests of this minute. */
export function refuse(route: Route): Promise<void> {
  const error = { code: 'rate_limited', message: refusal, requestId: 'req_1' };
  return route.fulfill({ status: 429, headers: { 'retry-after': '24' }, json: { error } });
}

function otherThan(device: Device): Device {
  return device === 'phone' ? 'desktop' : 'phone';
}

/** Never those of the package: they switch off web security, and CSP and CSRF tests would prove nothing. */
const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

let browser: Browser | undefined;

/** One for all files of a worker, with whose process it ends. */
export async function launch(): Promise<Pick<Browser, 'newContext'>> {
  const { executablePath, env } = inject('chromium');
  const inherited = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  // A crash ends the file that met it, not those after it.
  const running = browser?.isConnected()
    ? browser
    : await chromium.launch({ executablePath, args: flags, env: { ...inherited, ...env } });
  browser = running;
  return { newContext: options => running.newContext(options) };
}

export type Visit = {
  context: BrowserContext;
  page: Page;
  device: Device;
  /** Goes to a screen as a person does. */
  go(screen: string): Promise<void>;
  /** Opens a path of the console, such as `/calendar`, and waits for its heading. */
  open(path: string, heading: string): Promise<void>;
  /**
   * Looks for faults of the layout of the current state in the width of either device and at 200 % there, runs
   * axe in a phone's, and saves pictures when they are asked for.
   */
  check(state: string): Promise<void>;
  /** Expects no CSP report and no error of the page, and closes, as the end of the test does. */
  end(): Promise<void>;
};

export type VisitOptions = {
  /** Signed in without the form. */
  as?: Person;
  dark?: boolean;
  /** Checks states in the width of this device only. */
  inOwnWidth?: boolean;
  /** Runs axe in both widths: for the frame of a screen. What is in it is one document, whatever the width. */
  inBothWidths?: boolean;
  timezoneId?: string;
  /** Is offered the zone of the browser, which no other test has to answer. */
  hasZoneOffer?: boolean;
  /** With the service worker, whose requests `page.route` does not see. */
  installed?: boolean;
  /** Messages of the browser's console that this test provokes. */
  expected?: RegExp;
};

/** A browser of its own: cookies and storage are shared with no other visit. */
export async function visit(
  { newContext }: Pick<Browser, 'newContext'>,
  device: Device,
  options: VisitOptions = {},
): Promise<Visit> {
  const { url } = inject('product');
  const context = await newContext({
    ...devices[device],
    baseURL: url,
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    serviceWorkers: options.installed ? 'allow' : 'block',
    locale: 'en-GB',
    timezoneId: options.timezoneId ?? 'Europe/Berlin',
    storageState: {
      cookies: [],
      origins: options.hasZoneOffer
        ? []
        : [{ origin: url, localStorage: [{ name: 'hookline.zone-chosen', value: 'yes' }] }],
    },
  });
  // The first page took 15 s on a machine that was busy with more than it has cores for.
  context.setDefaultTimeout(40_000);
  const complaints: string[] = [];
  await context.exposeBinding('reportViolation', (_source, text: string) => complaints.push(`CSP: ${text}`));
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', event => {
      const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
      const report = (window as unknown as { reportViolation(text: string): void }).reportViolation;
      report(`${effectiveDirective} ${blockedURI} ${sourceFile}:${lineNumber} ${sample}`);
    });
  });
  if (options.as) await enter(context, options.as);
  const page = await context.newPage();
  const end = async () => {
    // A request that a test passes on may be in flight.
    for (const one of context.pages()) await one.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    expect(complaints).toEqual([]);
  };
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail' && !page.isClosed())
      await page.screenshot({ path: failurePath(task.name, device) });
    await end();
  });
  page.on('pageerror', error => complaints.push(`page error: ${error.stack ?? error.message}`));
  page.on('console', message => {
    // A refused request is a message too; what the page makes of it is for the tests to judge.
    const isRequest = /^Failed to load resource/.test(message.text());
    if (message.type() === 'error' && !isRequest && !options.expected?.test(message.text()))
      complaints.push(`console: ${message.text()}`);
  });
  return {
    context,
    page,
    device,
    async go(screen) {
      const link = page.getByRole('navigation').getByRole('link', { name: screen, exact: true });
      // Some are in the bar of a phone, the others in its menu.
      if (device === 'phone' && !(await link.isVisible())) {
        await page.getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('dialog', { name: 'Menu' }).waitFor();
      }
      if (!(await link.isVisible())) await page.locator('nav summary').filter({ visible: true }).click();
      await link.click();
      await page.getByRole('heading', { level: 1, name: screen, exact: true }).waitFor();
    },
    async open(path, heading) {
      // A dialog that closes goes back in the history, which would break off what follows.
      await page.waitForFunction(
        () => document.querySelector('dialog[open]') !== null || history.state?.isExtra !== true,
      );
      // A slide that a test holds back keeps the page from its load event.
      await page.goto(`/console${path}`, { waitUntil: 'domcontentloaded' });
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    },
    async check(state) {
      // What is still being read is no state to judge.
      await page.waitForFunction(
        () => document.querySelector('h1') !== null && document.querySelector('[role=status] > svg') === null,
      );
      for (const width of options.inOwnWidth ? [device] : [otherThan(device), device]) {
        const { viewport } = devices[width];
        await resize(page, zoomed(viewport));
        await expectLaidOut(page, `${state}, ${width} at 200 %`);
        await resize(page, viewport);
        await expectLaidOut(page, `${state}, ${width}`);
        if (options.inOwnWidth || options.inBothWidths || width === 'phone')
          expect(await findViolations(page, axe.source), `axe: ${state}, ${width}`).toEqual([]);
        await savePicture(page, `${state}-${width}${options.dark ? '-dark' : ''}`);
      }
    },
    end,
  };
}

/** The cookie as the sign-in sets it. */
export async function enter(context: BrowserContext, { email, password, session }: Person): Promise<void> {
  const { url } = inject('product');
  if (session !== undefined) {
    const { hostname: domain } = new URL(url);
    const kept = { domain, path: '/console', httpOnly: true, sameSite: 'Strict' as const };
    return await context.addCookies([{ name: 'hookline_session', value: session, ...kept }]);
  }
  const answer = await context.request.post(`${url}/console/api/v1/auth/sign-in`, {
    headers: { origin: url },
    data: { email, password },
  });
  if (!answer.ok()) throw new Error(`sign-in answered ${answer.status()}: ${await answer.text()}`);
}

/** By the form that is on the page. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** As the zoom of the browser does it, down to the narrowest width that the console is made for. */
function zoomed({ width, height }: Size): Size {
  return { width: Math.max(width / 2, 320), height: height / 2 };
}

async function resize(page: Page, size: Size): Promise<void> {
  await page.setViewportSize(size);
  // A script sees the new width before the style sheet does: media queries are evaluated with a frame.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** A busy machine draws frames of the size before: a fault is one that stays. */
async function expectLaidOut(page: Page, state: string): Promise<void> {
  await expect
    .poll(() => findLayoutFaults(page), { message: `layout: ${state}`, timeout: 5_000 })
    .toEqual([]);
}

function shownInDocument(): string {
  return readFileSync(join(repositoryRoot, 'docs/console.md'), 'utf8');
}

function failurePath(test: string, device: Device): string {
  const file = `${test} ${device}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return join(repositoryRoot, '.cache/console-failures', `${file}.png`);
}

const PICTURE_BYTES_MAX = 60_000;

/**
 * With `CONSOLE_PICTURES=<folder>` only: `npm test` changes no committed file. `docs/console` gets the
 * pictures that `docs/console.md` shows, another folder every state.
 */
async function savePicture(page: Page, state: string): Promise<void> {
  const folder = process.env.CONSOLE_PICTURES;
  if (!folder) return;
  const name = `${state.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.jpg`;
  if (folder === 'docs/console' && !shownInDocument().includes(`(console/${name})`)) return;
  mkdirSync(folder, { recursive: true });
  for (let quality = 80; ; quality -= 15) {
    const picture = await page.screenshot({ type: 'jpeg', quality, scale: 'css' });
    if (picture.length > PICTURE_BYTES_MAX && quality > 30) continue;
    writeFileSync(join(folder, name), picture);
    return;
  }
}
