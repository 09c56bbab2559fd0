/**
 * Rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula is preceded by an apostrophe.
 */
export function toCsv<Row extends Record<string, string | number>>(
  names: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  const lines = rows.map(row => names.map(name => cell(row[name] ?? '')));
  return [names, ...lines].map(line => `${line.join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
