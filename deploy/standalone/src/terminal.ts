/** Terminal output. Colour only where the terminal supports it. */
import { styleText } from 'node:util';
import type { FirstRun, JourneyStep } from './first-journey.ts';

type Style = Parameters<typeof styleText>[0];

function style(format: Style, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

function write(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Lets the process outlive its terminal, or what its output is piped into: what is printed after that was
 * closed fails with EIO or EPIPE, which would end the process before the shutdown that SIGHUP begins, and
 * leave Postgres behind.
 */
export function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EIO' && error.code !== 'EPIPE') throw error;
    });
  }
}

export function printHeading(seconds: string): void {
  write();
  write(`${style('bold', 'Hookline is up')} ${style('dim', `after ${seconds} s`)}`);
}

export function printStep({ title, detail, ms }: JourneyStep): void {
  write(
    `  ${style('green', '✓')} ${title.padEnd(34)} ${style('dim', `${String(ms).padStart(5)} ms`)}  ${detail}`,
  );
}

export function printSubheading(text: string): void {
  write();
  write(style('bold', text));
}

export type Addresses = {
  baseUrl: string;
  publicUrl: string;
  simulatorsEnterUrl: string | null;
  dataDir: string;
  logFile: string;
};

export function printAddresses({
  baseUrl,
  publicUrl,
  simulatorsEnterUrl,
  dataDir,
  logFile,
}: Addresses): void {
  const rows: [string, string][] = [
    ['API', baseUrl],
    ['Guides', `${publicUrl}/docs`],
    ...(simulatorsEnterUrl === null ? [] : [['Simulated TikTok', simulatorsEnterUrl] as [string, string]]),
    ['Data folder', dataDir],
    ['Log', logFile],
  ];
  for (const [name, value] of rows) write(`  ${name.padEnd(18)} ${value}`);
}

export type FirstRunNotes = {
  /** Signs its reader in once, within 10 minutes, on this machine. */
  consoleUrl: string;
  dataDir: string;
  isFirstStart: boolean;
};

/**
 * Prints a key at the first start only: later ones may end in the log of whatever runs them. Links to what was
 * posted, too: they end, or are of another port.
 */
export function printFirstRun(
  firstRun: FirstRun,
  { consoleUrl, dataDir, isFirstStart }: FirstRunNotes,
): void {
  printSubheading('Approve in the console (this link signs you in once, within 10 minutes)');
  write(`  ${'Console'.padEnd(18)} ${consoleUrl}`);
  if (isFirstStart) {
    printSubheading('Look at what was posted');
    write(`  ${firstRun.platformPostUrl}`);
    for (const url of firstRun.imageUrls.slice(0, 1)) write(`  ${style('dim', 'first slide')} ${url}`);
  }
  printSubheading('Your access');
  if (isFirstStart) write(`  ${'Key for an agent'.padEnd(18)} ${firstRun.agentKey}`);
  const rest = isFirstStart ? 'Key that approves' : 'Keys';
  write(`  ${rest.padEnd(18)} ${dataDir}/first-run.json`);
  write(`  ${'Sign-in'.padEnd(18)} ${firstRun.email}, password there too`);
}

export function printNext(firstRun: FirstRun, dataDir: string, isFirstStart: boolean): void {
  printSubheading('Try next');
  const key = isFirstStart ? firstRun.agentKey : '$KEY';
  if (!isFirstStart) write(`  KEY=$(node -p 'require("${dataDir}/first-run.json").agentKey')`);
  write(`  curl -s ${firstRun.baseUrl}/content \\`);
  write(`    -H "Authorization: Bearer ${key}" -H 'Idempotency-Key: my-first' \\`);
  write(`    -H 'Content-Type: application/json' \\`);
  write(`    -d '{"appId":"${firstRun.appId}","type":"slideshow","brief":{"templateId":"quote-card"}}'`);
}

export function printHowItEnds(): void {
  write();
  write(style('dim', 'Ctrl-C stops everything; the next "npm start" goes on where this one ended.'));
}

export function printNote(text: string): void {
  write(`    ${style('dim', text)}`);
}

export function printNotice(text: string): void {
  write(`  ${style('yellow', '!')} ${text}`);
}
