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
  simulatorsUrl: string;
  dataDir: string;
  logFile: string;
};

export function printAddresses({ baseUrl, publicUrl, simulatorsUrl, dataDir, logFile }: Addresses): void {
  const rows: [string, string][] = [
    ['API', baseUrl],
    ['Reference', `${publicUrl}/docs`],
    ['Simulated TikTok', `${simulatorsUrl}/`],
    ['Data folder', dataDir],
    ['Log', logFile],
  ];
  for (const [name, value] of rows) write(`  ${name.padEnd(18)} ${value}`);
}

export function printFirstRun(firstRun: FirstRun, dataDir: string): void {
  printSubheading('Look at what was posted');
  write(`  ${firstRun.platformPostUrl}`);
  for (const url of firstRun.imageUrls.slice(0, 1)) write(`  ${style('dim', 'first slide')} ${url}`);
  printSubheading('Your access');
  write(`  ${'API key'.padEnd(18)} ${firstRun.apiKey}`);
  write(`  ${'Sign-in'.padEnd(18)} ${firstRun.email}  ${firstRun.password}`);
  write(`  ${style('dim', `all of it is in ${dataDir}/first-run.json`)}`);
}

export function printNext(firstRun: FirstRun): void {
  printSubheading('Try next');
  write(`  curl -s ${firstRun.baseUrl}/content \\`);
  write(`    -H 'Authorization: Bearer ${firstRun.apiKey}' -H 'Idempotency-Key: my-first' \\`);
  write(`    -H 'Content-Type: application/json' \\`);
  write(`    -d '{"appId":"${firstRun.appId}","type":"slideshow","brief":{"templateId":"quote-card"}}'`);
}

export function printHowItEnds(): void {
  write();
  write(style('dim', 'Ctrl-C stops everything; the next "npm start" goes on where this one ended.'));
}

export function printNotice(text: string): void {
  write(`  ${style('yellow', '!')} ${text}`);
}
