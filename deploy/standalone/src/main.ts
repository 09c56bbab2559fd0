/**
 * `npm start`: runs everything on one machine, and the first journey on a fresh data folder, until Ctrl-C.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chooseWriter, contentSettings } from '@hookline/content/settings';
import { whyUnsettled } from '@hookline/embedded/backup';
import { prepareDataFolder } from '@hookline/embedded/data-folder';
import { isStillRunning, readRunFile, removeRunFile, writeRunFile } from '@hookline/embedded/run-file';
import {
  ConfigurationError,
  changeLevelOnSignal,
  createLogger,
  createShutdown,
  exitOnSignals,
  generationMsOf,
  inheritedEnvironment,
  type Logger,
  loadSettings,
  openLogFile,
  releaseMemoryOfStart,
  type Shutdown,
  startMetrics,
} from '@hookline/shared/kernel';
import { startTelemetry } from '@hookline/shared/service';
import { type FirstRun, leaveDeckForApproval, runFirstJourney } from './first-journey.ts';
import { readFirstRun, writeFirstRun } from './first-run-file.ts';
import { portsOf, requireFreePort } from './require-free-port.ts';
import { loadStandaloneSettings, type StandaloneSettings } from './standalone-settings.ts';
import { type RunningProduct, startProduct } from './start-product.ts';
import * as terminal from './terminal.ts';

async function main(): Promise<void> {
  const settings = loadStandaloneSettings();
  const dataDir = await prepareDataFolder(settings.DATA_DIR);
  const unsettled = await whyUnsettled(dataDir);
  if (unsettled !== null) throw new ConfigurationError(unsettled);
  const running = await readRunFile(dataDir);
  if (running && isStillRunning(dataDir, running))
    throw new ConfigurationError(
      `Hookline runs on ${dataDir} already (process ${running.pid}): ${running.publicUrl}/console. Stop it first.`,
    );
  for (const [name, port] of portsOf(settings)) await requireFreePort(name, port, settings.HOST);
  const logFile = join(dataDir, 'logs', 'hookline.log');
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  const root = createLogger({ level: settings.LOG_LEVEL, destination: openLogFile(logFile) });
  const log = root.child({ service: 'standalone' });
  const shutdown = createShutdown(log);
  try {
    await run(settings, dataDir, logFile, { root, log }, shutdown);
  } catch (error) {
    // Stopped during the start: the shutdown ends the process.
    if (shutdown.isRunning()) return;
    await shutdown.run();
    throw error;
  }
}

async function run(
  settings: StandaloneSettings,
  dataDir: string,
  logFile: string,
  { root, log }: { root: Logger; log: Logger },
  shutdown: Shutdown,
): Promise<void> {
  exitOnSignals(shutdown, log);
  terminal.outliveTerminal();
  changeLevelOnSignal(root, log);
  const telemetry = await startTelemetry('standalone', settings.OTEL_EXPORTER_OTLP_ENDPOINT, log);
  shutdown.add('telemetry', 'telemetry', () => telemetry.stop());
  const metrics = await startMetrics({
    service: 'standalone',
    port: settings.METRICS_PORT,
    host: settings.METRICS_HOST ?? settings.HOST,
    otlpEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    log,
  });
  shutdown.add('telemetry', 'metrics', () => metrics.stop());
  const product = await startProduct({
    settings,
    env: inheritedEnvironment(),
    dataDir,
    log,
    root,
    shutdown,
    onDatabaseLost: reason => endWithoutDatabase(reason, log, shutdown),
  });
  const baseUrl = `${product.publicUrl}/api/v1`;
  const { consoleEntry, ...addresses } = product;
  await writeRunFile(dataDir, { ...addresses, pid: process.pid, logFile });
  shutdown.add('telemetry', 'run file', () => removeRunFile(dataDir));

  terminal.printHeading(secondsSinceCommand());
  terminal.printAddresses({
    baseUrl,
    publicUrl: product.publicUrl,
    simulatorsEnterUrl: product.simulatorsEnterUrl,
    dataDir,
    logFile,
  });
  const earlier = await readFirstRun(dataDir);
  const isFirstStart = earlier === null;
  let firstRun = earlier && { ...earlier, baseUrl };
  // The command line finds the product by it.
  if (firstRun && earlier?.baseUrl !== baseUrl) await writeFirstRun(dataDir, firstRun);
  if (!firstRun && !product.isSignUpOpen) {
    terminal.printNotice(
      'Nobody can sign up, so no first journey was run. "npm run ops -- create-owner --email <yours>" makes the first user; in a container, "node ops/src/main.ts create-owner --email <yours>".',
    );
  } else if (!firstRun && product.isTiktokSimulated && product.simulatorsUrl !== null) {
    terminal.printSubheading('The first journey');
    firstRun = await tryFirstJourney(
      settings,
      baseUrl,
      { ...product, simulatorsUrl: product.simulatorsUrl },
      log,
      shutdown,
    );
    if (shutdown.isRunning()) return;
    if (firstRun) {
      await writeFirstRun(dataDir, firstRun);
      terminal.printNote(`first post ${secondsSinceCommand()} s after the command`);
      firstRun = await tryLeaveDeck(settings, firstRun, log);
      await writeFirstRun(dataDir, firstRun);
    }
  } else if (!firstRun) {
    terminal.printNotice('Real TikTok credentials are configured, so no first journey was run.');
  }
  if (firstRun) {
    const consoleUrl = consoleUrlOf(product, firstRun.email);
    terminal.printFirstRun(firstRun, { consoleUrl, dataDir, isFirstStart });
    terminal.printNext(firstRun, dataDir, isFirstStart);
  }
  if (chooseWriter(loadSettings(contentSettings)).kind === 'builtin') {
    terminal.printSubheading('This server has no text model');
    terminal.printNotice(
      'Decks are about the app only, none about a topic. Connect one in the console under Settings, or with LLM_PROVIDER and LLM_API_KEY.',
    );
  }
  terminal.printHowItEnds();
  releaseMemoryOfStart(quietMs);
}

/** Signs this person in once, on this machine. */
function consoleUrlOf({ gatewayUrl, consoleEntry }: RunningProduct, email: string): string {
  return `http://localhost:${new URL(gatewayUrl).port}/console/enter?token=${consoleEntry.open(email)}`;
}

/** Does what a person does with the printed link. @throws Error when it is refused */
async function enterConsole(url: string): Promise<void> {
  const { origin, pathname, searchParams } = new URL(url);
  const answer = await fetch(origin + pathname, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: searchParams,
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`The link of the console answered ${answer.status}.`);
}

/**
 * Only a new start recovers Postgres, and a supervisor restarts only a process that has ended. During a
 * shutdown the process ends in any case.
 */
function endWithoutDatabase(reason: string, log: Logger, shutdown: Shutdown): void {
  log.error({ reason }, 'the database is lost');
  if (shutdown.isRunning()) return;
  process.stderr.write(`${reason} Hookline stops.\n`);
  void shutdown.run().finally(() => process.exit(1));
}

/** After this long the drawing thread and the connections of the first journey have ended. */
const quietMs = 20_000;

/** Longest wait of the first journey for its deck, however long a text model may take. */
const deckMaxMs = 45_000;

/** A deck of its own, so that the console opens on something to decide. */
async function tryLeaveDeck(
  settings: StandaloneSettings,
  firstRun: FirstRun,
  log: Logger,
): Promise<FirstRun> {
  try {
    return await leaveDeckForApproval(firstRun, {
      onStep: terminal.printStep,
      contentMs: deckPatienceMs(settings),
    });
  } catch (error) {
    log.warn({ err: error }, 'the deck that waits for approval was not made');
    return firstRun;
  }
}

function deckPatienceMs(settings: StandaloneSettings): number {
  return Math.min(generationMsOf(settings) + 12_000, deckMaxMs);
}

/** Hookline runs whatever becomes of the journey: it depends on a text model that may be down or slow. */
async function tryFirstJourney(
  settings: StandaloneSettings,
  baseUrl: string,
  product: RunningProduct & { simulatorsUrl: string },
  log: Logger,
  shutdown: Shutdown,
): Promise<FirstRun | null> {
  try {
    return await runFirstJourney(baseUrl, product.simulatorsUrl, {
      onStep: terminal.printStep,
      isAppStoreSimulated: product.isAppStoreSimulated,
      contentMs: deckPatienceMs(settings),
      ...(settings.EMAIL_VERIFICATION === 'required'
        ? { proveAddress: email => enterConsole(consoleUrlOf(product, email)) }
        : {}),
    });
  } catch (error) {
    if (shutdown.isRunning()) return null;
    log.warn({ err: error }, 'the first journey failed');
    const { name, message } = error as Error;
    const reason = name === 'TimeoutError' ? 'a step took too long, probably the text model' : message;
    terminal.printNotice(
      `The first journey stopped: ${reason.replace(/\.$/, '')}. Hookline runs; the next start tries the journey again.`,
    );
    return null;
  }
}

/**
 * Since the command was entered, including the launcher but not the installation; since the start of this
 * process if the launcher reports no time.
 */
function secondsSinceCommand(): string {
  const commandAtMs = Number(inheritedEnvironment().HOOKLINE_COMMAND_AT_MS);
  const elapsedMs = commandAtMs > 0 ? Date.now() - commandAtMs : process.uptime() * 1000;
  return (elapsedMs / 1000).toFixed(1);
}

main().catch((error: unknown) => {
  const isOurs = error instanceof ConfigurationError;
  const text = isOurs ? error.message : `Hookline could not start: ${(error as Error).message}`;
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
