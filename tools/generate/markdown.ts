/** A Markdown table; a pipe in a cell would end it, a line break would end the table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

/** A page: its parts with an empty line between them, one line break at its end. */
export function page(...parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}

export const madeFrom = (source: string): string =>
  `<!-- Made by "npm run generate" from ${source}: change it there. -->`;
