/** What each role finds on each screen: exactly what the routes behind it let the role do. */
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { type Role, roles, type Scope, scopesByRole } from '@hookline/shared/contracts/scopes';
import { perSuite } from '@hookline/testing/per-suite';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { newAutomation, type Prepared } from '../lab/kit/clients/api.ts';
import { launch, visit } from './src/browser.ts';
import { invite, newCreator, type Person, writeDeck } from './src/person.ts';

const browser = perSuite(launch);
let owner: Prepared;
let people: Record<Role, Person>;
/** Of a deck that is scheduled as a draft, of one scheduled as a direct post, and of one that waits. */
let paths: { draft: string; direct: string; waiting: string };

beforeAll(async () => {
  owner = await newCreator('studio.nord');
  const { api, key, accountId } = owner;
  const make = async (method: string, path: string, body: object) => {
    const answer = await api<{ id: string }>(method, path, { token: key, body });
    if (answer.error) throw new Error(answer.error.message);
    return answer.data.id;
  };
  const scheduled = async (hook: string, mode: object) => {
    const { id } = await writeDeck(owner, { hook });
    await make('POST', `/content/${id}/approve`, {});
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
    await make('POST', '/schedules', { contentId: id, tiktokAccountId: accountId, scheduledFor, ...mode });
    return `/posts/${id}`;
  };
  paths = {
    draft: await scheduled('A draft', { mode: 'draft' }),
    direct: await scheduled('A direct post', { mode: 'publish', privacyLevel: 'SELF_ONLY' }),
    waiting: `/posts/${(await writeDeck(owner, { hook: 'It waits' })).id}`,
  };
  await newAutomation(owner);
  await make('POST', '/webhooks', { url: 'https://example.com/hooks', events: ['schedule.failed'] });
  people = {
    owner,
    approver: await invite(owner, 'approver'),
    editor: await invite(owner, 'editor'),
    viewer: await invite(owner, 'viewer'),
  };
});

/** Whether a route, and further scopes where it asks for them by its body, are open to a role. */
function mayCall(role: Role, routeId: string, ...others: Scope[]): boolean {
  const route = allRoutes.find(({ id }) => id === routeId);
  if (route === undefined) throw new Error(`there is no route ${routeId}`);
  if (route.auth === 'session') return route.roles?.includes(role) ?? true;
  const held = (scope: Scope) => scopesByRole[role].includes(scope);
  const mayAsk = route.anyScope ? route.scopes.some(held) : route.scopes.every(held);
  return mayAsk && others.every(held);
}

type Look = {
  /** An address, or the name of a screen in the navigation. */
  at: string;
  heading?: string;
  /** What is there for every role once the screen is loaded. */
  shows?: string;
  /** Opens a part of the screen. */
  opens?: string;
  /** Controls by name, each with the route that it calls and scopes beyond those of the route. */
  controls: Record<string, [routeId: string, ...others: Scope[]]>;
};

const looks = (): Look[] => [
  {
    at: '/approve',
    heading: 'Approve',
    shows: 'It waits',
    controls: {
      Approve: ['approveContent'],
      Reject: ['rejectContent'],
      Edit: ['editContent'],
      Share: ['createReviewLink'],
    },
  },
  {
    at: paths.draft,
    heading: 'Post',
    shows: '@studio.nord',
    controls: {
      'Post again': ['createSchedule'],
      Edit: ['editContent'],
      Move: ['updateSchedule'],
      Withdraw: ['deleteSchedule'],
      'Write a comment': ['createComment'],
      Share: ['createReviewLink'],
    },
  },
  {
    at: paths.direct,
    heading: 'Post',
    shows: 'A direct post',
    controls: { Move: ['updateSchedule', 'schedules:publish'], Withdraw: ['deleteSchedule'] },
  },
  { at: `${paths.waiting}/edit`, heading: 'Edit', controls: { 'Add a slide': ['editContent'] } },
  {
    at: `${paths.draft}/schedule`,
    heading: 'Schedule',
    controls: {
      'As a draft': ['createSchedule'],
      'Direct post': ['createSchedule', 'schedules:publish'],
      Now: ['createSchedule'],
    },
  },
  {
    at: 'Automations',
    shows: 'Pebblo → @studio.nord',
    controls: {
      'New automation': ['createAutomation'],
      'Run now': ['runAutomation'],
      Pause: ['updateAutomation'],
      Change: ['updateAutomation'],
      Delete: ['deleteAutomation'],
      Log: ['listFirings'],
    },
  },
  { at: 'Apps', shows: 'Pebblo', controls: { 'Add an app': ['createApp'] } },
  {
    at: 'Apps',
    opens: 'Pebblo',
    shows: 'What decks are written from',
    controls: {
      'Add pictures': ['addPicture'],
      'Own colours': ['updateApp'],
      'Read the store page again': ['refreshApp'],
      'Delete the app': ['deleteApp'],
      'New deck': ['createContent'],
    },
  },
  {
    at: 'Accounts',
    shows: '@studio.nord',
    controls: {
      Connect: ['connectTiktok'],
      'Add phone account': ['addPhone'],
      Slots: ['updateAccount'],
      Disconnect: ['deleteAccount'],
    },
  },
  {
    at: 'Webhooks',
    controls: {
      'New endpoint': ['createWebhook'],
      Deliveries: ['listDeliveries'],
      'Rotate secret': ['rotateWebhook'],
      Delete: ['deleteWebhook'],
    },
  },
  { at: 'Events', controls: { Event: ['listEvents'] } },
  { at: 'Keys', controls: { Create: ['createKey'] } },
  {
    at: 'Members',
    shows: owner.email,
    controls: { Invite: ['createInvitation'], Remove: ['removeMember'] },
  },
  { at: 'Audit', controls: { 'Copy request id': ['listAudit'] } },
  {
    at: 'Settings',
    shows: 'This one',
    controls: {
      'Workspace name': ['updateWorkspace'],
      Strict: ['updateWorkspace'],
      'Test and connect': ['setTextModel'],
      'Once a day': ['updateNotifications'],
      'A post failed': ['updateNotifications'],
      'Current password': ['changePassword'],
      'Export the workspace': ['createExport'],
      'Delete the workspace': ['deleteWorkspace'],
    },
  },
];

/** Names of the buttons and fields of the screen that can be used. */
function usable(page: Page): Promise<string[]> {
  return page.locator('main').evaluate(main => {
    const found = [...main.querySelectorAll<HTMLInputElement>('button, input, select')];
    return found
      .filter(control => !control.matches(':disabled'))
      .map(({ ariaLabel, labels, textContent }) =>
        (ariaLabel ?? labels?.[0]?.textContent ?? textContent ?? '').trim(),
      );
  });
}

/** As a link within the console does: without loading the page again. */
async function follow(page: Page, path: string, heading: string): Promise<void> {
  await page.evaluate(to => history.pushState(null, '', to), `/console${path}`);
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
}

it.each(roles)('%s: no more and no less than the role may do, and nothing is refused', async role => {
  const { page, open, go } = await visit(browser, 'desktop', { as: people[role] });
  const refused: string[] = [];
  page.on('response', answer => {
    if (answer.status() === 403) refused.push(`${answer.request().method()} ${answer.url()}`);
  });
  await open('/approve', 'Approve');
  for (const { at, heading, shows, opens, controls } of looks()) {
    // An owner may do what an approver may.
    if (role === 'owner' && Object.values(controls).every(needs => mayCall('approver', ...needs))) continue;
    if (heading) await follow(page, at, heading);
    else await go(at);
    if (opens) await page.locator('main').getByText(opens).first().click();
    if (shows) await page.locator('main').getByText(shows).first().waitFor();
    await page.waitForFunction(() => document.querySelector('main [role=status] svg') === null);
    const expected = Object.entries(controls).map(
      ([name, [routeId, ...others]]) => [name, mayCall(role, routeId, ...others)] as const,
    );
    await expect
      .poll(
        async () => {
          const names = await usable(page);
          return expected.map(([name]) => [name, names.includes(name)]);
        },
        { message: `${role} at ${opens ?? at}` },
      )
      .toEqual(expected);
  }
  // Moving a direct post needs the scope to publish.
  await go('Calendar');
  await page.locator('main').getByText('A draft').waitFor();
  const movable = [
    ...(mayCall(role, 'updateSchedule') ? ['A draft'] : []),
    ...(mayCall(role, 'updateSchedule', 'schedules:publish') ? ['A direct post'] : []),
  ];
  await expect.poll(() => page.getByRole('row').count()).toBe(movable.length);
  for (const hook of movable) await page.getByRole('row', { name: hook }).waitFor();
  expect(refused).toEqual([]);
});
