import type { CreateContent } from './generated/types.ts';

/** What a row of the list that does not say is made of. */
export type ListDefaults = Pick<CreateContent, 'appId'> & { templateId?: string };

const ofContent = new Set(['appId', 'externalId']);
/** By their names in lower case: people begin the head of a table with a capital. */
const columns = new Map(
  [
    ...ofContent,
    ...['topic', 'hook', 'archetype', 'slideCount', 'ctaMode', 'templateId'],
    ...['slides', 'closing', 'caption', 'hashtags'],
  ].map(name => [name.toLowerCase(), name]),
);

/** The text of a file. Spreadsheets on Windows write the code page of the system, or as "Unicode text" UTF-16. */
export function textOfList(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'windows-1252').decode(bytes);
  }
}

/**
 * The items of `content.createBatch` from CSV with a line of field names (`topic`, `hook`, `slideCount`,
 * `externalId`, `metadata.sheet` ...), a JSON list of briefs, or a topic a line. Of a cell with `slides` each
 * line is one. Values are not checked: the answer tells what is wrong with a row.
 */
export function itemsOfList(text: string, { appId, templateId }: ListDefaults): CreateContent[] {
  const rows = /^\s*\[/.test(text) ? JSON.parse(text) : rowsOf(text);
  return (rows as Record<string, unknown>[]).map(row => {
    const item: Record<string, unknown> = { appId, type: 'slideshow' };
    const brief: Record<string, unknown> = templateId === undefined ? {} : { templateId };
    const metadata: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(row)) {
      if (name.startsWith('metadata.')) metadata[name.slice('metadata.'.length)] = value;
      else if (ofContent.has(name)) item[name] = value;
      else brief[name] = value;
    }
    return { ...item, brief, ...(Object.keys(metadata).length > 0 && { metadata }) } as CreateContent;
  });
}

function rowsOf(text: string): Record<string, unknown>[] {
  const [head = [], ...rows] = cellsOf(text);
  const names = head.map(cell => columns.get(cell.trim().toLowerCase()) ?? cell.trim());
  if (!names.some(name => columns.has(name.toLowerCase()))) {
    const lines = text.split(/\r?\n/).map(line => line.trim());
    return lines.filter(line => line !== '').map(topic => ({ topic }));
  }
  return rows.map(cells => {
    const filled = cells.flatMap((text, at) => {
      const cell = text.trim();
      // Not a field, so that the row is refused instead of cut short.
      const name = names[at] || `column ${at + 1}`;
      return cell === '' ? [] : [[name, readCell(name, cell)]];
    });
    return Object.fromEntries(filled);
  });
}

function readCell(name: string, cell: string): unknown {
  // What is no number is left to be refused: JSON makes it null, which means "not given".
  if (name === 'slideCount') return Number.isFinite(Number(cell)) ? Number(cell) : cell;
  if (name === 'hashtags') return cell.split(/\s+/);
  if (name === 'slides') return cell.split(/\s*\n\s*/).map(text => ({ text }));
  return cell;
}

/** RFC 4180, also with semicolons or tabs, as spreadsheets write and copy it. Empty lines are left out. */
function cellsOf(text: string): string[][] {
  const whole = text.replace(/^\ufeff/, '');
  const head = whole.split('\n', 1)[0] ?? '';
  const separator = ['\t', ';', ','].find(mark => head.includes(mark)) ?? ',';
  const rows: string[][] = [];
  let cells: string[] = [];
  for (const [, quoted, plain, end] of whole.matchAll(
    new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\n]*?))[ \\r]*(${separator}|\\n|$)`, 'g'),
  )) {
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === separator) continue;
    if (cells.some(cell => cell !== '')) rows.push(cells);
    cells = [];
  }
  return rows;
}
