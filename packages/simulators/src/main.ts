import { join } from 'node:path';
import { startSimulators } from './simulators.ts';

// biome-ignore lint/style/noProcessEnv: the simulators import nothing of the product, nor its settings
const env = process.env;
const ms = (value: string | undefined) => (value ? Number(value) : undefined);
function fail(message: string): never {
  process.stderr.write(`hookline simulators: ${message}\n`);
  process.exit(1);
}
const list = (value: string | undefined) => value?.split(',').filter(entry => entry !== '');

const port = Number(env.SIMULATORS_PORT || 8090);
if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
  fail('SIMULATORS_PORT must be an integer from 0 to 65535.');

const simulators = await startSimulators({
  port,
  smtpPort: Number(env.SIMULATORS_SMTP_PORT ?? 0),
  host: env.SIMULATORS_HOST,
  dataDir: join(env.DATA_DIR || './.data', 'simulators'),
  publicUrl: env.SIMULATORS_PUBLIC_URL,
  controlToken: env.SIMULATORS_CONTROL_TOKEN,
  clientKey: env.TIKTOK_CLIENT_KEY,
  clientSecret: env.TIKTOK_CLIENT_SECRET,
  webhookUrl: env.SIMULATORS_WEBHOOK_URL,
  localhostIs: env.SIMULATORS_LOCALHOST_IS,
  verifiedUrls: list(env.SIMULATORS_VERIFIED_URLS),
  scopes: list(env.SIMULATORS_TIKTOK_SCOPES),
  redirectUris: list(env.SIMULATORS_REDIRECT_URIS),
  pullDelayMs: ms(env.SIMULATORS_PULL_DELAY_MS),
  publishDelayMs: ms(env.SIMULATORS_PUBLISH_DELAY_MS),
  moderationDelayMs: ms(env.SIMULATORS_MODERATION_DELAY_MS),
}).catch((error: NodeJS.ErrnoException & { port?: number }) =>
  fail(
    error.code === 'EADDRINUSE'
      ? `port ${error.port} is taken; npm start has simulators of its own.`
      : error.message,
  ),
);

const { url, enterUrl, smtpPort } = simulators;
process.stdout.write(`Simulated platforms are up.

  Inbox and feed   ${enterUrl}
  TikTok           ${url}/tiktok
  App Store        ${url}/appstore
  Google Play      ${url}/googleplay
  YouTube          ${url}/youtube
  Instagram        ${url}/instagram
  Text model       ${url}/llm/v1
  Mailbox          ${url}/mail (SMTP on port ${smtpPort})
  Faults           ${url}/_control/fault-kinds
`);

async function stop(): Promise<void> {
  await simulators.close();
  process.exit(0);
}

process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
