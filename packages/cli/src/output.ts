/** Data goes to stdout, everything else to stderr. */
import stringWidth from 'fast-string-width';
import type { Failure } from './failure.ts';
import type { Io, Style } from './io.ts';

export type Column<T> = { title: string; of: (row: T) => string; style?: (row: T) => Style | undefined };

export type Output = {
  isJson: boolean;
  /** One object: JSON, or the lines that `human` gives. */
  record(value: unknown, human: () => readonly string[]): void;
  /** A list: a JSON array, or a table. */
  table<T>(rows: readonly T[], columns: readonly Column<T>[], empty: string): void;
  /** One entry of a stream: a line of JSON, or a line of text. */
  entry(value: unknown, human: () => string): void;
  /** Text as it is, for output that is neither (a completion script). */
  text(text: string): void;
  /** A line on stderr, unless `--quiet`. */
  say(line: string): void;
  /** A line on stderr that the next one replaces; only on a terminal. */
  progress(line: string | null): void;
  failure(failure: Failure): void;
  style(format: Style, text: string): string;
  /** Dim, for stderr. */
  note(text: string): string;
};

// Letters of the API must not move the cursor or rename the window: C0 but tab and newline, DEL, C1, and the
// marks that reorder text.
const CONTROL = /(?![\t\n])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text from outside, safe to print on a terminal. */
export function plain(text: string): string {
  return text.replace(CONTROL, '');
}

/** In one line, of at most `width` columns. */
export function fit(text: string, width: number): string {
  const line = plain(text).replace(/\s+/g, ' ').trim();
  if (stringWidth(line) <= width) return line;
  const kept: string[] = [];
  let used = 1;
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    used += stringWidth(segment);
    if (used > width) break;
    kept.push(segment);
  }
  return `${kept.join('').trimEnd()}…`;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** JSON that is safe on a terminal: what JSON leaves as it is beyond ASCII's controls is escaped too. */
function json(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const gap = 2;

/** Rows of equal columns; the widest gives way until the table fits the terminal. Ids are for copying, and whole. */
export function layOut(cells: readonly (readonly string[])[], columns: number): string[][] {
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map(row => stringWidth(row[at] ?? ''))));
  const total = (): number => widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));
  const ids = cells[0]?.indexOf('ID') ?? -1;
  while (total() > columns) {
    const widest = Math.max(...widths.filter((_, at) => at !== ids));
    if (widest <= 8) break;
    widths[widths.findIndex((width, at) => at !== ids && width === widest)] = widest - 1;
  }
  return cells.map(row => row.map((cell, at) => padded(fit(cell, widths[at] ?? 0), widths[at] ?? 0)));
}

export function createOutput(io: Io, flags: { json?: boolean; quiet?: boolean }): Output {
  const { stdout, stderr } = io;
  const isJson = flags.json ?? !stdout.isTty;
  const canReplace = stderr.isTty && io.env.TERM !== 'dumb' && !flags.quiet;
  let shown = false;
  const clear = (): void => {
    if (shown) stderr.write('\r\u001b[2K');
    shown = false;
  };
  const line = (text: string): void => {
    clear();
    stdout.write(`${text}\n`);
  };
  return {
    isJson,
    record: (value, human) =>
      isJson ? line(json(value, stdout.isTty ? 2 : undefined)) : human().forEach(line),
    table: (rows, columns, empty) => {
      if (isJson) return line(json(rows, stdout.isTty ? 2 : undefined));
      if (rows.length === 0) return void stderr.write(`${empty}\n`);
      const titles = columns.map(({ title }) => title);
      const cells = layOut(
        [titles, ...rows.map(row => columns.map(({ of }) => plain(of(row))))],
        stdout.isTty ? stdout.columns : Number.POSITIVE_INFINITY,
      );
      const separator = ' '.repeat(gap);
      cells.forEach((row, at) => {
        const record = rows[at - 1];
        const styled = row.map((cell, column) => {
          const format = record === undefined ? 'dim' : columns[column]?.style?.(record);
          return format === undefined ? cell : stdout.style(format, cell);
        });
        line(styled.join(separator).trimEnd());
      });
    },
    entry: (value, human) => line(isJson ? json(value) : human()),
    text: text => stdout.write(text),
    say: text => {
      if (flags.quiet) return;
      clear();
      stderr.write(`${text}\n`);
    },
    progress: text => {
      if (!canReplace) return;
      clear();
      if (text === null) return;
      stderr.write(stderr.style('dim', fit(text, stderr.columns - 1)));
      shown = true;
    },
    failure: failure => {
      clear();
      if (flags.json || (isJson && !stderr.isTty))
        return stderr.write(`${json({ error: { ...failure.body, hint: failure.hint } })}\n`);
      const { code, requestId } = failure.body;
      const where = requestId === undefined ? '' : stderr.style('dim', ` (${code}, ${plain(requestId)})`);
      stderr.write(`${stderr.style('red', 'hookline:')} ${plain(failure.message)}${where}\n`);
      if (failure.hint) stderr.write(`  ${stderr.style('cyan', plain(failure.hint))}\n`);
    },
    style: (format, text) => stdout.style(format, text),
    note: text => stderr.style('dim', text),
  };
}
