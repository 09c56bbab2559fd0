/** Draws a screen of a terminal from its text with escape sequences. */

const cell = { width: 8.4, height: 18 };
const padding = 14;
const plain = { text: '#d8dee9', ground: '#14161b' };
/** The sixteen colours of a terminal, black to bright white. */
const named = [
  ...['#3b4252', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d8dee9'],
  ...['#7f8896', '#ff7b86', '#b5e890', '#ffd68a', '#7fc3ff', '#e09aff', '#7fdbe6', '#ffffff'],
];

type Style = { text: string | null; ground: string | null; bold: boolean; dim: boolean; inverse: boolean };
type Run = { at: number; text: string; style: Style };

const noStyle: Style = { text: null, ground: null, bold: false, dim: false, inverse: false };

/** Applies the numbers of one SGR sequence, such as `1;38;2;255;0;0`. */
function styleAfter(before: Style, sequence: string): Style {
  const numbers = sequence.split(';').map(Number);
  let style = before;
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 38 || code === 48) {
      const [kind, red = 0, green = 0, blue = 0] = numbers.slice(at + 1);
      const color = kind === 2 ? `rgb(${red},${green},${blue})` : (named[red] ?? null);
      style = { ...style, [code === 38 ? 'text' : 'ground']: color };
      at += kind === 2 ? 4 : 2;
    } else if (code === 0) style = noStyle;
    else if (code === 1) style = { ...style, bold: true };
    else if (code === 2) style = { ...style, dim: true };
    else if (code === 7) style = { ...style, inverse: true };
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code === 27) style = { ...style, inverse: false };
    else if (code === 39) style = { ...style, text: null };
    else if (code === 49) style = { ...style, ground: null };
    else if (code >= 30 && code <= 37) style = { ...style, text: named[code - 30] ?? null };
    else if (code >= 40 && code <= 47) style = { ...style, ground: named[code - 40] ?? null };
    else if (code >= 90 && code <= 97) style = { ...style, text: named[code - 82] ?? null };
  }
  return style;
}

/** A style goes on from line to line, as tmux writes it. */
function* runsOf(line: string, style: { now: Style }): Generator<Run> {
  let at = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    if (part.startsWith('\u001b[')) style.now = styleAfter(style.now, part.slice(2, -1) || '0');
    else if (part !== '') {
      yield { at, text: part, style: style.now };
      at += [...part].length;
    }
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const round = (length: number): number => Math.round(length * 10) / 10;

function drawRun({ at, text, style }: Run, row: number): string {
  const [x, y] = [round(padding + at * cell.width), padding + row * cell.height];
  const width = round([...text].length * cell.width);
  const [ink, ground] = style.inverse
    ? [style.ground ?? plain.ground, style.text ?? plain.text]
    : [style.text ?? plain.text, style.ground];
  const box = (height: number, color: string) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${color}"/>`;
  const behind = ground === null ? '' : box(cell.height, ground);
  // Fonts draw the upper half of a cell with gaps.
  if (/^▀+$/.test(text)) return behind + box(cell.height / 2, ink);
  if (text.trim() === '') return behind;
  const weight = `${style.bold ? ' font-weight="bold"' : ''}${style.dim ? ' opacity=".65"' : ''}`;
  return (
    behind +
    `<text x="${x}" y="${y + 13}" textLength="${width}" fill="${ink}"${weight} xml:space="preserve">${escaped(text)}</text>`
  );
}

/**
 * The picture of the lines, which may have colours and half blocks.
 * @param title read out in place of the picture
 */
export function drawScreen(lines: readonly string[], columns: number, title: string): string {
  const [width, height] = [
    round(2 * padding + columns * cell.width),
    2 * padding + lines.length * cell.height,
  ];
  const style = { now: noStyle };
  const drawn = lines.map((line, row) => [...runsOf(line, style)].map(run => drawRun(run, row)).join(''));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" shape-rendering="crispEdges">\n`,
    `<title>${escaped(title)}</title>\n`,
    `<rect width="${width}" height="${height}" rx="8" fill="${plain.ground}"/>\n`,
    ...drawn.map(line => `${line}\n`),
    '</svg>\n',
  ].join('');
}
