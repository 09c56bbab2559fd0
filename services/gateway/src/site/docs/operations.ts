/** A page per operation for models: Markdown, made from the contracts that the services validate with. */
import { errorCatalogue } from '@hookline/shared/contracts';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { honoursKey, type NamedRoute } from '@hookline/shared/contracts/route';
import { z } from 'zod';
import { errorCodesOf } from '../openapi/errors.ts';
import { describeOperation } from '../openapi/texts.ts';

export function findOperation(id: string): NamedRoute | null {
  return allRoutes.find(route => route.id === id) ?? null;
}

export function operationsIndex(origin: string): string {
  const parts = [...new Set(allRoutes.map(tagOf))].map(tag => {
    const lines = allRoutes.filter(route => tagOf(route) === tag).map(route => operationLine(route, origin));
    return `## ${tag}\n\n${lines.join('\n')}`;
  });
  return ['# API reference', `All paths are under \`${origin}/api/v1\`.`, ...parts].join('\n\n');
}

function operationLine({ id, method, path, summary }: NamedRoute, origin: string): string {
  return `- [${method} ${path}](${origin}/docs/api/${id}.md): ${summary}`;
}

export function tagOf({ path }: NamedRoute): string {
  return path.split('/')[1] ?? '';
}

export function operationPage(route: NamedRoute, origin: string): string {
  const { method, path, summary, status, example } = route;
  const fields = [...fieldsOf(route.params, 'path'), ...fieldsOf(route.query, 'query'), ...keyField(route)];
  return sections([
    `# ${summary}`,
    `\`${method} ${origin}/api/v1${path}\``,
    describeOperation(route),
    fields.length > 0 && `## Parameters\n\n${table(['name', 'in', 'required', 'description'], fields)}`,
    example.body !== undefined && `## Body\n\n${json(example.body)}`,
    route.upload && '## Body\n\n`multipart/form-data` with one field `file`.',
    `## Example\n\n\`\`\`sh\n${curl(route)}\n\`\`\``,
    example.response !== undefined && `## Response\n\nStatus ${status}.\n\n${json(example.response)}`,
    `## Errors\n\n${table(['status', 'code', 'meaning'], errorRows(route))}`,
  ]);
}

function sections(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n');
}

function fieldsOf(schema: z.ZodType | undefined, place: string): string[][] {
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, field]) => {
    const { description = '', enum: values } = field as { description?: string; enum?: string[] };
    const one = values
      ? `${description} One of ${values.map(value => `\`${value}\``).join(', ')}.`
      : description;
    return [`\`${name}\``, place, required.includes(name) ? 'yes' : 'no', one.trim()];
  });
}

function keyField(route: NamedRoute): string[][] {
  if (!honoursKey(route)) return [];
  const isRequired = route.idempotency === 'required';
  return [
    ['`Idempotency-Key`', 'header', isRequired ? 'yes' : 'no', 'A repeat with the same value acts once.'],
  ];
}

function errorRows(route: NamedRoute): string[][] {
  return [...errorCodesOf(route)].flatMap(([status, codes]) =>
    codes.map(code => [String(status), `\`${code}\``, errorCatalogue[code].meaning]),
  );
}

/** Path parameters keep their braces: the reader puts an id there. */
function curl(route: NamedRoute): string {
  const { method, path, auth, example } = route;
  const isPlain = method === 'GET' || (method === 'POST' && example.body !== undefined);
  const lines = [`curl${isPlain ? '' : ` -X ${method}`} "$HOOKLINE_BASE_URL${path}"`];
  if (auth === 'key') lines.push('-H "Authorization: Bearer $HOOKLINE_API_KEY"');
  if (auth === 'session') lines.push('-H "Authorization: Bearer $HOOKLINE_SESSION"');
  if (honoursKey(route)) lines.push('-H "Idempotency-Key: $(uuidgen)"');
  if (route.upload) lines.push('-F file=@picture.jpg');
  else if (example.body !== undefined) {
    lines.push(
      "-H 'Content-Type: application/json'",
      `-d '${JSON.stringify(example.body).replaceAll("'", "'\\''")}'`,
    );
  }
  return lines.join(' \\\n  ');
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
