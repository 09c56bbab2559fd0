import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

it('toCsv quotes what needs it, and lets no spreadsheet run a hook as a formula', () => {
  const rows = [
    { hook: 'He said "now", then', views: 12 },
    { hook: '=HYPERLINK("http://x")', views: -1 },
  ];
  expect(toCsv(['hook', 'views'], rows)).toBe(
    'hook,views\r\n"He said ""now"", then",12\r\n"\'=HYPERLINK(""http://x"")",-1\r\n',
  );
});
