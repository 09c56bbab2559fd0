/** What TikTok's reviewers refuse, as far as a program sees it. */
import { isIP } from 'node:net';
import { gatewaySettings } from '@hookline/gateway/settings';
import { schedulingSettings } from '@hookline/scheduling/settings';
import { loadSettings } from '@hookline/shared/kernel';
import { missingInDialog } from './dialog.ts';
import type { Outside } from './outside.ts';

export type Finding = { about: string; seen: string; refused: string | null };

export type Pages = {
  /** The official website of the app. */
  website?: string | undefined;
  /** The signature file of TikTok, for a verified prefix instead of a verified domain. */
  signatureFile?: string | undefined;
};

type Env = Record<string, string | undefined>;
type Subject = ReturnType<typeof readSubject> & Pages & { outside: Outside };

const usedScopes: Readonly<Record<string, string>> = {
  'user.info.basic': 'the name of the creator',
  'user.info.profile': 'the handle of the creator',
  'video.upload': 'drafts',
  'video.publish': 'direct posts',
  'video.list': 'numbers of posts',
};
const notPublic = 'PUBLIC_URL must be https and have a public name.';
const signature = 'tiktok-developers-site-verification=';

function readSubject(env: Env) {
  const { PUBLIC_URL, APP_NAME, PRIVACY_URL, TERMS_URL } = gatewaySettings;
  const { TIKTOK_API_URL, TIKTOK_AUTH_URL, TIKTOK_CLIENT_KEY, TIKTOK_CLIENT_SECRET, TIKTOK_SCOPES } =
    schedulingSettings;
  const table = {
    ...{ PUBLIC_URL, APP_NAME, PRIVACY_URL, TERMS_URL },
    ...{ TIKTOK_API_URL, TIKTOK_AUTH_URL, TIKTOK_CLIENT_KEY, TIKTOK_CLIENT_SECRET, TIKTOK_SCOPES },
  };
  const settings = loadSettings(table, env);
  const given = settings.PUBLIC_URL ?? (env.HOOKLINE_HOST && `https://${env.HOOKLINE_HOST}`) ?? '';
  return { settings, publicUrl: given.replace(/\/+$/, '') };
}

/** In the order of TikTok's form. @throws ConfigurationError for a malformed setting */
export async function findRefusals(env: Env, pages: Pages, outside: Outside): Promise<Finding[]> {
  const subject = { ...readSubject(env), ...pages, outside };
  const checks = [
    ['app name', appName],
    ['website', website],
    ['privacy policy', (one: Subject) => legalPage(one, 'PRIVACY_URL')],
    ['terms of service', (one: Subject) => legalPage(one, 'TERMS_URL')],
    ['redirect URI', redirectUri],
    ['scopes', scopes],
    ['credentials', credentials],
    ['media prefix', mediaPrefix],
    ['sign-in page', signInPage],
    ['posting dialog', postingDialog],
  ] as const;
  return await Promise.all(
    checks.map(async ([about, check]) => {
      const [seen, refused = null] = await check(subject);
      return { about, seen, refused };
    }),
  );
}

/** What was looked at, and why it would be refused. */
type Seen = readonly [seen: string, refused?: string | null];

function appName({ settings: { APP_NAME } }: Subject): Seen {
  if (APP_NAME === gatewaySettings.APP_NAME.default) {
    return [APP_NAME, 'Set APP_NAME to the name of your TikTok app, which is the name on your website.'];
  }
  return [APP_NAME, /tik ?tok/i.test(APP_NAME) ? 'No name may refer to TikTok.' : null];
}

async function website({ website, settings, outside }: Subject): Promise<Seen> {
  if (!website) return ['none', 'Name the official website of the app: --website https://example.com'];
  const page = await outside.get(website);
  if (page?.status !== 200) return [website, `It answers ${page?.status ?? 'nothing'}.`];
  const { APP_NAME, PRIVACY_URL, TERMS_URL } = settings;
  const lacks = [APP_NAME, PRIVACY_URL, TERMS_URL].filter(text => text && !names(page.text, text));
  if (lacks.length > 0) return [website, `It must show these without opening a menu: ${lacks.join(', ')}`];
  return [website, /type="?password/.test(page.text) ? 'A sign-in page is no website.' : null];
}

/** A link may be relative. */
function names(html: string, text: string): boolean {
  const path = URL.canParse(text) ? new URL(text).pathname : text;
  return html.includes(text) || (path.length > 1 && html.includes(path));
}

async function legalPage({ settings, outside }: Subject, name: 'PRIVACY_URL' | 'TERMS_URL'): Promise<Seen> {
  const url = settings[name];
  if (url === undefined) return ['none', `Set ${name} to the address of the page.`];
  if (settings.PRIVACY_URL === settings.TERMS_URL) return [url, 'Privacy policy and terms are two pages.'];
  const page = await outside.get(url);
  return [url, page?.status === 200 ? null : `It answers ${page?.status ?? 'nothing'}.`];
}

async function redirectUri({ publicUrl, outside }: Subject): Promise<Seen> {
  const uri = `${publicUrl}/api/v1/accounts/tiktok/callback`;
  if (!isPublic(publicUrl)) return [uri, notPublic];
  const answer = await outside.get(uri);
  const isOurs = answer !== null && answer.status < 500 && /hookline|"error"/i.test(answer.text);
  return [uri, isOurs ? null : `No Hookline answers there (${answer?.status ?? 'no answer'}).`];
}

function isPublic(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  const isPrivate =
    isIP(hostname.replace(/[[\]]/g, '')) > 0 || /(^|\.)(localhost|local|internal)$/.test(hostname);
  return protocol === 'https:' && hostname.includes('.') && !isPrivate;
}

function scopes({ settings: { TIKTOK_SCOPES: asked } }: Subject): Seen {
  const unused = asked.filter(scope => !(scope in usedScopes));
  const seen = asked.map(scope => `${scope} (${usedScopes[scope] ?? 'not used'})`).join(', ');
  return [
    seen,
    unused.length === 0 ? null : `Remove what nothing uses from TIKTOK_SCOPES: ${unused.join(', ')}`,
  ];
}

function credentials({ settings }: Subject): Seen {
  const { TIKTOK_CLIENT_KEY: key, TIKTOK_CLIENT_SECRET: secret, TIKTOK_API_URL, TIKTOK_AUTH_URL } = settings;
  if (!key || !secret) return ['none', 'Set TIKTOK_CLIENT_KEY and TIKTOK_CLIENT_SECRET.'];
  const others = [TIKTOK_API_URL, TIKTOK_AUTH_URL].filter(
    url => url && !/^https:\/\/([a-z]+\.)*(tiktokapis|tiktok)\.com(\/|$)/.test(url),
  );
  return [key, others.length === 0 ? null : `This is not TikTok: ${others.join(', ')}`];
}

async function mediaPrefix({ publicUrl, signatureFile, outside }: Subject): Promise<Seen> {
  const prefix = `${publicUrl}/media/posts/`;
  if (!isPublic(publicUrl)) return [prefix, notPublic];
  const answer = await outside.get(`${prefix}none/1`);
  if (answer?.status !== 404) {
    return [
      prefix,
      `A missing slide must answer 404 without a redirect, not ${answer?.status ?? 'nothing'}.`,
    ];
  }
  if (signatureFile) {
    if (!prefix.startsWith(new URL('.', signatureFile).href)) {
      return [prefix, `${signatureFile} verifies another prefix.`];
    }
    const file = await outside.get(signatureFile);
    return [prefix, file?.text.includes(signature) ? null : `${signatureFile} has no signature of TikTok.`];
  }
  const labels = new URL(publicUrl).hostname.split('.');
  const hosts = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  const records = (await Promise.all(hosts.map(host => outside.txt(host)))).flat();
  if (records.some(record => record.startsWith(signature))) return [prefix];
  return [
    prefix,
    `No TXT record ${signature}... at ${hosts.join(' or ')}: verify the domain at TikTok, or name the file of a verified prefix with --signature-file.`,
  ];
}

async function signInPage({ publicUrl, settings, outside }: Subject): Promise<Seen> {
  const page = `${publicUrl}/console/sign-in`;
  const answer = await outside.get(`${publicUrl}/console/api/v1/sign-in-options`);
  if (answer?.status !== 200) return [page, `It answers ${answer?.status ?? 'nothing'}.`];
  const shown = dataOf(answer.text);
  if (shown === null) return [page, 'No Hookline answers there.'];
  const { APP_NAME: appName, PRIVACY_URL: privacyUrl, TERMS_URL: termsUrl } = settings;
  const differs = Object.entries({ appName, privacyUrl, termsUrl })
    .filter(([name, value]) => value !== undefined && shown[name] !== value)
    .map(([name]) => name);
  return [
    page,
    differs.length === 0 ? null : `The gateway runs with another ${differs.join(', ')}; restart it.`,
  ];
}

/** Null where something else answers, such as a page for every address. */
function dataOf(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text).data ?? null;
  } catch {
    return null;
  }
}

async function postingDialog({ publicUrl, outside }: Subject): Promise<Seen> {
  const seen = `${publicUrl}/console/schedule`;
  if (!isPublic(publicUrl)) return [seen, notPublic];
  const missing = await missingInDialog(`${publicUrl}/console/`, outside.get);
  return [seen, missing.length === 0 ? null : `The console there does not show: ${missing.join('; ')}`];
}
