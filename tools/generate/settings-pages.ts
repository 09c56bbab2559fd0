import { page, table } from './markdown.ts';

export type DocumentedSetting = { default?: string; about: string; secret?: true };
type Settings = Readonly<Record<string, DocumentedSetting>>;
type Entry = [name: string, setting: DocumentedSetting];

const source = 'packages/shared/src/kernel/settings.ts and services/*/src/settings.ts';

/** Chapters of the pages; a setting that matches none goes under the last one. */
const chapters: readonly { title: string; names: RegExp }[] = [
  {
    title: 'Process',
    names:
      /^(PORT|HOST|ROLE|LOG_LEVEL|DATA_DIR|PUBLIC_URL|TRUSTED_PROXIES|OTEL_.*|METRICS_PORT|METRICS_HOST)$/,
  },
  { title: 'Stores and bus', names: /^(DATABASE_.*|REDIS_URL|KAFKA_.*|S3_.*)$/ },
  { title: 'Services', names: /^((CONTENT|SCHEDULING|AUTOMATION|ANALYTICS)_URL|GATEWAY_REPLICAS)$/ },
  { title: 'Keys', names: /^(.*_KEYS|MEDIA_SIGNING_KEY|OIDC_.*)$/ },
  { title: 'Platforms', names: /^(TIKTOK|APP_STORE|GOOGLE_PLAY|YOUTUBE|INSTAGRAM)_/ },
  { title: 'Texts', names: /^(WRITER$|LLM_)/ },
  { title: 'Limits', names: /^(LIMIT_.*|SIGNUP_CREDITS|CREDITS|DAILY_GENERATIONS|EVENT_RETENTION_DAYS)$/ },
  { title: 'Simulators and tests', names: /^(SIMULATORS_.*|WEBHOOK_ALLOW_TARGETS)$/ },
  { title: 'Other', names: /^/ },
];

function inChapters(settings: Settings): { title: string; entries: Entry[] }[] {
  const byTitle = Map.groupBy(
    Object.entries(settings),
    ([name]) => chapters.find(chapter => chapter.names.test(name))?.title,
  );
  return chapters
    .map(({ title }) => ({ title, entries: byTitle.get(title) ?? [] }))
    .filter(chapter => chapter.entries.length > 0);
}

/** `.env.example`: every setting commented out, with its default as the value. */
export function environmentExample(settings: Settings): string {
  const lines = (entry: Entry): string => {
    const [name, { about, default: standard = '', secret }] = entry;
    return `# ${about.replaceAll('`', '')}${secret ? ' (secret)' : ''}\n#${name}=${standard}`;
  };
  return page(
    `# Made by "npm run generate" from ${source}: change it there.\n` +
      '# "npm start" needs none of these. Commented-out and empty settings have the default shown. A secret may be\n' +
      '# in a file that <NAME>_FILE names.',
    ...inChapters(settings).flatMap(({ title, entries }) => [`## ${title}`, ...entries.map(lines)]),
  );
}

export function configurationPage(settings: Settings): string {
  const row = ([name, { about, default: standard, secret }]: Entry): string[] => [
    `\`${name}\``,
    standard ? `\`${standard}\`` : '',
    secret ? `${about} **Secret.**` : about,
  ];
  return page(
    '# Configuration',
    'Everything is set by environment variables. `npm start` needs none of them: it starts its own Postgres, bus ' +
      'and simulated platforms, and creates the keys at its first start (kept in `DATA_DIR`, mode 0600). An empty ' +
      'variable counts as not set. A process with an invalid or incomplete configuration does not start and says ' +
      'in one sentence what is wrong. A secret may be in a file instead, named by `<NAME>_FILE`.',
    ...inChapters(settings).flatMap(({ title, entries }) => [
      `## ${title}`,
      table(['name', 'default', 'meaning'], entries.map(row)),
    ]),
  );
}
