/** Stock Firefox over WebDriver BiDi, and what a person or a screen reader finds on a page of the console. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import axe from 'axe-core';
import puppeteer, { type Browser, type ElementHandle, type Page as FirefoxPage } from 'puppeteer-core';
import { findViolations } from '../../../kit/checks/axe.ts';

export type Device = 'phone' | 'desktop';

const devices = {
  phone: { width: 390, height: 844, hasTouch: true },
  desktop: { width: 1280, height: 800 },
} as const;
/** The narrowest screen that the console supports. */
const narrow = { width: 320, height: 640 };
const waitMs = 30_000;
const pollMs = 50;

export type Role =
  | 'button'
  | 'checkbox'
  | 'combobox'
  | 'group'
  | 'heading'
  | 'img'
  | 'link'
  | 'radio'
  | 'region'
  | 'textbox';

/** A CSS selector, or the element of a selector that has the text. */
export type Within = string | { of: string; text: string };

export type Page = {
  device: Device;
  /** What was wrong so far: errors of the page, CSP reports, findings of axe, screens wider than 320 px. */
  complaints: readonly string[];
  /** Number of states that were checked. */
  checked(): number;
  open(path: string): Promise<void>;
  /** Waits for an element with this role and accessible name. */
  sees(role: Role, name: string, within?: Within): Promise<void>;
  /** Waits for a text in `main`, in an open dialog or in a status. */
  reads(text: string): Promise<void>;
  /** Waits until the text is gone. */
  missing(text: string): Promise<void>;
  /** By finger on the phone, by mouse on the desktop, once nothing disables or covers it. */
  press(role: Role, name: string, within?: Within): Promise<void>;
  /** As `press`, for a radio button or a checkbox. */
  pick(label: string): Promise<void>;
  /** Replaces what is in the field, key by key. */
  type(label: string, text: string): Promise<void>;
  /** @param option the beginning of its text; without it the first that is a choice */
  choose(label: string, option?: string): Promise<void>;
  key(...keys: Parameters<FirefoxPage['keyboard']['press']>[0][]): Promise<void>;
  /**
   * Scrolls an element sideways as a trackpad does: the driver's touches reach the page and not the scroller.
   */
  swipe(selector: string): Promise<void>;
  /** Waits for the mark of the slide on screen. */
  shows(slide: number): Promise<void>;
  /** The address of a picture that has been drawn. */
  pictureOf(selector: string): Promise<string>;
  /** Runs axe, measures at 320 px and keeps a picture. */
  check(state: string): Promise<void>;
  keepPicture(name: string): Promise<void>;
  close(): Promise<void>;
};

/** Without downloads, first-run pages and animations. */
export function launchFirefox(executablePath: string): Promise<Browser> {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    protocolTimeout: 60_000,
    extraPrefsFirefox: {
      'ui.prefersReducedMotion': 1,
      'intl.accept_languages': 'en-GB',
      // As on a phone: a scroll bar takes no width.
      'ui.useOverlayScrollbars': 1,
      // A finger that a busy machine lifts late is a tap all the same, and no long press.
      'apz.max_tap_time': 30_000,
      'ui.click_hold_context_menus.delay': 30_000,
      // Scrolls as a person's wheel or trackpad does, with snapping.
      'remote.events.async.wheel.enabled': true,
    },
  });
}

export async function openPage(browser: Browser, device: Device, url: string, folder: string): Promise<Page> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  let states = 0;
  page.setDefaultTimeout(waitMs);
  await page.setViewport(devices[device]);
  await page.evaluateOnNewDocument(() => {
    addEventListener('securitypolicyviolation', event => {
      const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event;
      console.error(`CSP: ${effectiveDirective} ${blockedURI} ${sourceFile}:${lineNumber} ${sample}`);
    });
  });
  page.on('pageerror', error => complaints.push(`page error: ${String(error)}`));
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });

  const rootOf = async (within: Within) => {
    const { of, text } = typeof within === 'string' ? { of: within, text: '' } : within;
    const root = await page.waitForFunction(
      (selector, wanted) =>
        [...document.querySelectorAll(selector)].find(({ textContent }) => textContent.includes(wanted)),
      { polling: 100 },
      of,
      text,
    );
    return root.asElement() as ElementHandle<Element>;
  };
  const find = async (role: Role, name: string, within: Within = 'body') => {
    const selector = `::-p-aria([name=${JSON.stringify(name)}][role="${role}"])`;
    for (const untilMs = performance.now() + waitMs; ; ) {
      try {
        for (const found of await (await rootOf(within)).$$(selector))
          if (await found.isVisible()) return found;
      } catch (error) {
        // The part of the page was drawn again between the two questions.
        if (performance.now() > untilMs) throw error;
      }
      if (performance.now() > untilMs)
        throw new Error(`there is no ${role} "${name}" in ${JSON.stringify(within)}`);
      await wait(pollMs);
    }
  };
  /** Whether a finger at its middle would reach it. */
  const isReachable = (element: ElementHandle<Element>) =>
    element.evaluate(shown => {
      shown.scrollIntoView({ block: 'center', inline: 'nearest' });
      const { left, top, width, height } = shown.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return !shown.matches(':disabled') && hit !== null && shown.contains(hit);
    });
  const pressOn = async (find: () => Promise<ElementHandle<Element>>, name: string) => {
    for (const untilMs = performance.now() + waitMs; ; ) {
      const element = await find();
      if (await isReachable(element)) return await (device === 'desktop' ? element.click() : element.tap());
      if (performance.now() > untilMs) throw new Error(`"${name}" is disabled or covered`);
      await wait(pollMs);
    }
  };
  /** By its visible label, in the open dialog if there is one. */
  const findField = async (label: string) => {
    const found = await page.waitForFunction(
      wanted => {
        const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
        const fields = [...root.querySelectorAll<HTMLInputElement>('input, textarea, select')];
        return fields.find(({ ariaLabel, labels }) =>
          [ariaLabel, ...[...(labels ?? [])].map(({ textContent }) => textContent)].some(text =>
            text?.trim().startsWith(wanted),
          ),
        );
      },
      { polling: 100 },
      label,
    );
    return found.asElement() as ElementHandle<HTMLInputElement>;
  };
  const waitForText = (text: string, isThere: boolean) =>
    page.waitForFunction(
      (wanted, expected) => {
        const parts = [...document.querySelectorAll<HTMLElement>('main, dialog[open], [role=status]')];
        // biome-ignore lint/performance/useDomNodeTextContent: text that is not rendered does not count
        return parts.some(part => part.innerText.includes(wanted)) === expected;
      },
      { polling: 100 },
      text,
      isThere,
    );
  const settle = () =>
    page.waitForFunction(
      () => document.querySelector('h1') !== null && document.querySelector('[role=status] svg') === null,
      { polling: 50 },
    );

  const keepPicture = async (state: string) => {
    const name = `${device}-${String(states).padStart(2, '0')}-${state}`;
    const file = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.png`;
    writeFileSync(join(folder, file), await page.screenshot());
  };

  return {
    device,
    complaints,
    checked: () => states,
    async open(path) {
      await page.goto(url + path);
    },
    async sees(role, name, within) {
      await find(role, name, within);
    },
    async reads(text) {
      await waitForText(text, true);
    },
    async missing(text) {
      await waitForText(text, false);
    },
    press: (role, name, within) => pressOn(() => find(role, name, within), name),
    pick: label => pressOn(() => findField(label), label),
    async type(label, text) {
      const field = await findField(label);
      await field.focus();
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      await page.keyboard.press('Backspace');
      await page.keyboard.type(text);
    },
    async choose(label, option = '') {
      const field = await findField(label);
      const value = await field.evaluate((element, wanted) => {
        const options = [...(element as Element as HTMLSelectElement).options];
        return options.find(({ text, value }) => value !== '' && text.startsWith(wanted))?.value;
      }, option);
      if (value === undefined) throw new Error(`"${label}" has no option "${option}"`);
      await field.select(value);
    },
    async key(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    async swipe(selector) {
      const box = await (await page.waitForSelector(selector, { visible: true }))?.boundingBox();
      if (!box) throw new Error(`${selector} is not on the screen`);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.wheel({ deltaX: Math.round(box.width * 0.7) });
    },
    async shows(slide) {
      await page.waitForSelector(`[aria-hidden] > .h-1.bg-white:nth-child(${slide})`);
    },
    async pictureOf(selector) {
      const source = await page.waitForFunction(
        wanted => {
          const picture = document.querySelector<HTMLImageElement>(wanted);
          return picture?.complete && picture.naturalWidth > 0 && picture.src;
        },
        { polling: 100 },
        selector,
      );
      return String(await source.jsonValue());
    },
    async check(state) {
      await settle();
      states += 1;
      const { width, height } = devices[device];
      await page.setViewport({ ...devices[device], ...narrow });
      await settle();
      const overflow = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      if (overflow > 0) complaints.push(`${state}, ${device}: ${overflow} px wider than 320 px`);
      await keepPicture(`${state}-320`);
      await page.setViewport({ ...devices[device], width, height });
      await settle();
      const findings = await findViolations(page, axe.source);
      complaints.push(...findings.map(finding => `axe: ${state}, ${device}: ${finding}`));
      await keepPicture(state);
    },
    keepPicture,
    close: () => context.close(),
  };
}
