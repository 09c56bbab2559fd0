import { page, table } from './markdown.ts';

type DocumentedError = { status: number; otherStatus?: number; message: string; meaning: string };

export function errorsPage(catalogue: Readonly<Record<string, DocumentedError>>): string {
  const rows = Object.entries(catalogue).map(([code, { status, otherStatus, meaning }]) => [
    `\`${code}\``,
    otherStatus ? `${status} or ${otherStatus}` : String(status),
    meaning,
  ]);
  const body = {
    error: { code: 'not_found', message: 'No such app.', requestId: 'req_01jd7r9c5mfw8s3k2n6q4t1vxz' },
  };
  return page(
    '# Errors',
    'Every error under `/api/v1` has this envelope:',
    `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``,
    '- `code` is for programs and is one of the table. `message` is for people and may change: it names the field ' +
      'by its path and says what would be right (`brief.slideCount must be an integer from 2 to 10`).\n' +
      '- `requestId` is in every log line of the request, in every service, and in the `X-Request-Id` header.\n' +
      '- `insufficient: true` is there only with `insufficient_credits`.\n' +
      '- 429 and 503 carry `Retry-After` in seconds.',
    table(['code', 'status', 'meaning'], rows),
  );
}
