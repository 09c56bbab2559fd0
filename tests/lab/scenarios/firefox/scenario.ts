/** The console in stock Firefox, at the size of a phone and of a desktop. */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '@hookline/testing/eventually';
import { findTypeErrors, installApart } from '../../../../tools/test/apart.ts';
import { apiOf, type Content, postsAtPlatform } from '../../kit/clients/api.ts';
import { type Standalone, startStandalone } from '../../kit/product/standalone.ts';
import { UsageError } from '../../kit/run/flags.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';

type FirstRun = { email: string; password: string; agentKey: string; appId: string; accountId: string };
type Walked = { version: string; states: Record<string, number>; complaints: string[] };
type Walks = {
  walkInFirefox(executablePath: string, url: string, folder: string, given: object): Promise<Walked>;
};

const driver = join(import.meta.dirname, 'driver');
const statesPerWalk = 26;

/** `$FIREFOX_PATH`, else the first Firefox on the PATH. */
function findFirefox(): string {
  const given = process.env.FIREFOX_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = ['firefox-esr', 'firefox'].flatMap(name => folders.map(folder => join(folder, name)));
  const found = (given ? [given] : paths).find(path => existsSync(path));
  if (found !== undefined) return found;
  throw new UsageError(
    'Firefox is not installed. Install it (Debian: apt-get install -y firefox-esr) or set FIREFOX_PATH to its program.',
  );
}

async function loadDriver(): Promise<Walks> {
  await installApart(driver, 'firefox-driver', 'the driver of Firefox');
  const errors = await findTypeErrors(driver);
  if (errors !== null) throw new Error(errors);
  return await import(pathToFileURL(join(driver, 'walk.ts')).href);
}

async function prepareGround({ baseUrl, simulatorsUrl, dataDir, product }: Standalone) {
  const { email, password, agentKey, appId, accountId }: FirstRun = JSON.parse(
    readFileSync(join(dataDir, 'first-run.json'), 'utf8'),
  );
  const link = /http:\S+(\/console\/enter\?token=\S+)/.exec(product.stdout())?.[1];
  if (link === undefined) throw new Error('the product printed no link');
  const api = apiOf(baseUrl);
  const accounts = await api<{ id: string; username: string }[]>('GET', '/accounts', { token: agentKey });
  const creator = accounts.data.find(({ id }) => id === accountId)?.username ?? '';
  return {
    link,
    email,
    password,
    async writeDeck(hook: string): Promise<string> {
      const made = await api<Content>('POST', '/content', {
        token: agentKey,
        headers: { 'idempotency-key': hook },
        body: { appId, type: 'slideshow', brief: { templateId: 'quote-card', hook } },
      });
      if (made.error) throw new Error(`${made.error.code}: ${made.error.message}`);
      return made.data.id;
    },
    async readDeck(id: string): Promise<Content> {
      return (await api<Content>('GET', `/content/${id}`, { token: agentKey })).data;
    },
    async countPosts(): Promise<number> {
      return (await postsAtPlatform(simulatorsUrl, creator)).length;
    },
    until: (what: string, holds: () => Promise<boolean>) =>
      eventually(async () => {
        if (!(await holds())) throw new Error(`not so: ${what}`);
      }, 60_000),
  };
}

export const scenario = defineScenario({
  about: 'the console in stock Firefox: a day of work on a phone and on a desktop',
  takes: '8 min',
  async run({ folder }): Promise<Outcome> {
    const firefox = findFirefox();
    const { walkInFirefox } = await loadDriver();
    const product = await startStandalone({ SIGNUP_CREDITS: '50' });
    try {
      const ground = await prepareGround(product);
      const { version, states, complaints } = await walkInFirefox(
        firefox,
        product.gatewayUrl,
        folder,
        ground,
      );
      for (const complaint of complaints) console.log(`  ${complaint}`);
      const isWhole = Object.values(states).every(count => count === statesPerWalk);
      return {
        isProven: isWhole && complaints.length === 0,
        figures: { version, ...states, wrong: complaints.length },
      };
    } finally {
      await product.remove();
    }
  },
});
