/**
 * The first journey: an app imported, a slideshow made, approved and posted to the simulated platform, all
 * through the API.
 */
import { randomBytes } from 'node:crypto';
import { type Scope, scopes } from '@hookline/shared/contracts/scopes';
import { type ApiClient, createApiClient } from './api-client.ts';

export type FirstRun = {
  baseUrl: string;
  simulatorsUrl: string;
  email: string;
  password: string;
  /** Every scope: approves and publishes. */
  apiKey: string;
  /** For an agent: every scope but `content:approve` and `schedules:publish`. */
  agentKey: string;
  appId: string;
  accountId: string;
  contentId: string;
  /** The deck that waits for approval. Missing where it could not be made. */
  waitingContentId?: string;
  scheduleId: string;
  imageUrls: string[];
  platformPostUrl: string;
};

export type JourneyStep = { title: string; detail: string; ms: number };

/** What a person keeps: approving, and posting without another look. */
const keptFromAgents: readonly Scope[] = ['content:approve', 'schedules:publish'];

const storeUrl = 'https://apps.apple.com/us/app/pebblo-tiny-habit-tracker/id9990000011';

/** For a product that asks only the real stores: the simulated app is in none of them. */
const givenListing = {
  name: 'Pebblo',
  description:
    'Pebblo is a habit tracker that grows a stone garden. Pick one small habit, do it, place a stone. No points, no leagues.',
  category: 'Productivity',
  features: [
    'Track up to twelve habits',
    'Skip a day without losing your streak',
    'See your month as a garden of stones',
  ],
};

type Data = { id: string };
type Content = Data & {
  status: string;
  result: { hook: string; bodySlides: unknown[] };
  images: { url: string }[];
  error?: { message: string };
};
type Schedule = Data & {
  status: string;
  platformPostUrl: string | null;
  failure: { message: string } | null;
};

export type JourneyOptions = {
  /** Called after each step. */
  onStep: (step: JourneyStep) => void;
  /** False: the app is given by hand. Default: true. */
  isAppStoreSimulated?: boolean;
  /** Longest wait for the deck. Default: 20 s. */
  contentMs?: number;
  /** Proves the address of the new user, where nothing opens before that. */
  proveAddress?: ((email: string) => Promise<void>) | undefined;
};

/** @throws ApiCallError or Error with a one-sentence message when a step fails */
export async function runFirstJourney(
  baseUrl: string,
  simulatorsUrl: string,
  { onStep, isAppStoreSimulated = true, contentMs = 20_000, proveAddress }: JourneyOptions,
): Promise<FirstRun> {
  const api = createApiClient(baseUrl);
  const step = createStep(onStep);

  const email = `you-${randomBytes(3).toString('hex')}@example.com`;
  const password = randomBytes(12).toString('base64url');
  const { session, apiKey, agentKey } = await step(
    'Signed up, two keys minted',
    () => signUp(api, email, password, proveAddress),
    () => email,
  );
  const app = await step(
    isAppStoreSimulated ? 'App imported from its store page' : 'App registered from a listing',
    () =>
      api.call<Data & { name: string; seedHooks: string[] }>('POST', '/apps', {
        token: agentKey,
        body: isAppStoreSimulated ? { name: 'Pebblo', appStoreUrl: storeUrl } : { listing: givenListing },
      }),
    result => `${result.name}, ${result.seedHooks.length} seed hooks`,
  );
  const account = await step(
    'TikTok account connected',
    () => connect(api, session, app.id),
    result => `${result.displayName} (simulated)`,
  );
  const content = await step(
    'Slideshow written and rendered',
    () => createDeck(api, agentKey, app.id, contentMs),
    result => `“${result.result.hook}”, ${result.images.length} slides`,
  );
  await step(
    'Approved',
    () => api.call('POST', `/content/${content.id}/approve`, { token: apiKey, body: { version: 1 } }),
    () => 'by you',
  );
  const schedule = await step(
    'Posted',
    () => post(api, apiKey, content.id, account.id),
    result => result.platformPostUrl ?? '',
  );
  return {
    baseUrl,
    simulatorsUrl,
    email,
    password,
    apiKey,
    agentKey,
    appId: app.id,
    accountId: account.id,
    contentId: content.id,
    scheduleId: schedule.id,
    imageUrls: content.images.map(image => image.url),
    platformPostUrl: schedule.platformPostUrl ?? '',
  };
}

/**
 * Makes a second deck, as an agent does, and leaves it for a person to decide on. It costs
 * one of the sign-up credits.
 * @throws ApiCallError or Error with a one-sentence message
 */
export async function leaveDeckForApproval(
  firstRun: FirstRun,
  { onStep, contentMs = 20_000 }: Pick<JourneyOptions, 'onStep' | 'contentMs'>,
): Promise<FirstRun> {
  const api = createApiClient(firstRun.baseUrl);
  const token = firstRun.agentKey;
  const content = await createStep(onStep)(
    'Another one waits for you',
    () => createDeck(api, token, firstRun.appId, contentMs),
    result => `“${result.result.hook}”`,
  );
  return { ...firstRun, waitingContentId: content.id };
}

function createStep(onStep: JourneyOptions['onStep']) {
  return async <T>(title: string, work: () => Promise<T>, detail: (result: T) => string): Promise<T> => {
    const startedAt = performance.now();
    const result = await work();
    onStep({ title, detail: detail(result), ms: Math.round(performance.now() - startedAt) });
    return result;
  };
}

async function signUp(
  api: ApiClient,
  email: string,
  password: string,
  proveAddress: JourneyOptions['proveAddress'],
) {
  const { session } = await api.call<{ session: { token: string } }>('POST', '/auth/sign-up', {
    body: { email, password },
  });
  await proveAddress?.(email);
  const mint = async (name: string, ofScopes: readonly Scope[]) => {
    const body = { name, scopes: ofScopes };
    return (await api.call<{ key: string }>('POST', '/keys', { token: session.token, body })).key;
  };
  return {
    session: session.token,
    apiKey: await mint('First key', scopes),
    agentKey: await mint(
      'Agent',
      scopes.filter(scope => !keptFromAgents.includes(scope)),
    ),
  };
}

/** The simulator's `as` parameter replaces the user's consent in the browser. */
async function connect(api: ApiClient, session: string, appId: string) {
  const { authorizeUrl } = await api.call<{ authorizeUrl: string }>('POST', '/accounts/tiktok/connect', {
    token: session,
    body: { appId },
  });
  const page = await fetch(`${authorizeUrl}&as=maya.makes`, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(10_000),
  });
  if (!page.ok) throw new Error(`The account could not be connected: the callback answered ${page.status}.`);
  const { state } = ((await page.json()) as { data: { state: string } }).data;
  return await api.call<Data & { displayName: string }>('POST', '/accounts/tiktok/finish', {
    token: session,
    body: { state },
  });
}

async function createDeck(api: ApiClient, token: string, appId: string, timeoutMs: number): Promise<Content> {
  const content = await api.call<Content>('POST', '/content', {
    token,
    idempotencyKey: randomBytes(12).toString('hex'),
    timeoutMs,
    body: { appId, type: 'slideshow', brief: { templateId: 'quote-card' } },
  });
  if (content.status !== 'ready')
    throw new Error(`The slideshow was not made: ${content.error?.message ?? content.status}`);
  return content;
}

async function post(
  api: ApiClient,
  apiKey: string,
  contentId: string,
  tiktokAccountId: string,
): Promise<Schedule> {
  const body = {
    contentId,
    tiktokAccountId,
    mode: 'publish',
    privacyLevel: 'PUBLIC_TO_EVERYONE',
    brandOrganic: true,
  };
  let schedule = await api.call<Schedule>('POST', '/schedules', { token: apiKey, body });
  const deadline = Date.now() + 60_000;
  while (!(schedule.status === 'sent' && schedule.platformPostUrl) && schedule.status !== 'failed') {
    if (Date.now() > deadline)
      throw new Error(
        `The post is still ${schedule.status} after 60 s; GET /schedules/${schedule.id} has the details.`,
      );
    await new Promise(resolve => setTimeout(resolve, 100));
    schedule = await api.call<Schedule>('GET', `/schedules/${schedule.id}`, { token: apiKey });
  }
  if (schedule.failure) throw new Error(`The post failed: ${schedule.failure.message}`);
  return schedule;
}
