/** The declarations, as a strict program of somebody else sees them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const sdk = join(import.meta.dirname, '..');
const compiler = join(sdk, '../../node_modules/typescript/bin/tsc');

const program = `
import { Hookline, type HooklineEvent } from '@hookline/sdk';
const hookline = new Hookline({ apiKey: 'svc_live_x' });
export async function use(title: string | undefined): Promise<string> {
  const body = { contentId: 'c', tiktokAccountId: 'a', title };
  const made: string = (await hookline.schedules.create(body)).id;
  const tried: string | null = (await hookline.schedules.create(body, { dryRun: true })).id;
  // @ts-expect-error an unknown template
  await hookline.content.create({ appId: 'a', type: 'slideshow', brief: { templateId: 'none' } });
  // @ts-expect-error a missing field
  await hookline.content.create({ type: 'slideshow' });
  // @ts-expect-error an unknown field
  await hookline.content.list({ colour: 'red' }).page();
  return made + tried;
}
export function ofEvent(event: HooklineEvent): string {
  switch (event.type) {
    case 'job.completed': return event.data.status;
    case 'schedule.failed': return 'failure' in event.data ? (event.data.failure?.code ?? '') : event.data.id;
    default: return event.id;
  }
}
`;

function compile(files: Readonly<Record<string, string>>, lib: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-sdk-types-'));
  try {
    mkdirSync(join(folder, 'node_modules/@hookline'), { recursive: true });
    symlinkSync(sdk, join(folder, 'node_modules/@hookline/sdk'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const compilerOptions = {
      ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: false, types: [] },
      ...{ lib, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    };
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the declarations', () => {
  it('compile strictly with a program that uses them, and with each snippet of the README', () => {
    const readme = readFileSync(join(sdk, 'README.md'), 'utf8');
    const snippets = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(snippets.length).toBeGreaterThan(3);
    const files = Object.fromEntries(snippets.map((text, index) => [`snippet-${index}.ts`, text]));
    expect(compile({ ...files, 'program.ts': program }, ['es2022', 'dom', 'dom.iterable'])).toBe('');
  });
});
