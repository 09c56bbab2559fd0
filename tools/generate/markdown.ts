/** A Markdown table; escapes pipes and line breaks in its cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

/** A page: its parts separated by an empty line, with one line break at its end. */
export function page(...parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}

export const madeFrom = (source: string): string =>
  `<!-- Made by "npm run generate" from ${source}: change it there. -->`;
