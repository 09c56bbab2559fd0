/** Values of flags, and the resources that they name. */

import { type Account, type Hookline, HooklineError } from '@hookline/sdk';
import { InvalidArgumentError } from 'commander';
import { usage } from './failure.ts';

/** For commander, which adds the name of the flag. */
export function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1_000) {
    throw new InvalidArgumentError('It must be an integer from 1 to 1000.');
  }
  return count;
}

export function readSlides(text: string): number {
  const slides = Number(text);
  if (!Number.isInteger(slides) || slides < 2 || slides > 10) {
    throw new InvalidArgumentError('It must be an integer from 2 to 10.');
  }
  return slides;
}

export function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 3_600))
    throw new InvalidArgumentError('It must be a number of seconds up to 3600.');
  return seconds;
}

/** By id, by name, or the only one there is. @throws Failure `usage` */
export async function findApp(client: Hookline, given: string | undefined): Promise<string> {
  if (given?.startsWith('product_')) return given;
  const apps = await client.apps.list({ limit: 100 }).toArray();
  const found = apps.filter(app => given === undefined || app.name.toLowerCase() === given.toLowerCase());
  return onlyOne(
    found,
    given,
    'app',
    apps.map(app => `${app.name} (${app.id})`),
    'hookline apps import <storeUrl>',
  ).id;
}

/** The handle of an account, or its display name while TikTok has not told the handle. */
export function nameOf({ username, displayName }: Account): string {
  return username === null ? displayName : `@${username}`;
}

/** By id, by handle with or without @, by display name, or the only connected one. @throws Failure `usage` */
export async function findAccount(client: Hookline, given: string | undefined): Promise<Account> {
  const accounts = await client.accounts.list({ limit: 100 }).toArray();
  const handle = given?.replace(/^@/, '').toLowerCase();
  const found = accounts.filter(account =>
    given === undefined
      ? account.status === 'connected'
      : account.id === given ||
        nameOf(account).toLowerCase() === `@${handle}` ||
        account.displayName.toLowerCase() === handle,
  );
  const names = accounts.map(account => `${nameOf(account)} (${account.id})`);
  return onlyOne(found, given, 'account', names, 'hookline open accounts');
}

function onlyOne<T>(
  found: readonly T[],
  given: string | undefined,
  what: string,
  names: readonly string[],
  howToAdd: string,
): T {
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  if (names.length === 0) throw usage(`There is no ${what} yet.`, howToAdd);
  const list = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}`;
  if (given === undefined) throw usage(`--${what} is needed: there are ${list}.`);
  if (second !== undefined) throw usage(`"${given}" names several: give the id of one. There are ${list}.`);
  throw usage(`There is no ${what} "${given}"; there are ${list}.`);
}

export function isNotFound(error: unknown): boolean {
  return error instanceof HooklineError && error.code === 'not_found';
}
