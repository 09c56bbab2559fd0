/** The Bruno collection of `examples/bruno`: a request per operation, from the contracts. */
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { honoursKey, type RouteContract } from '@hookline/shared/contracts/route';
import { z } from 'zod';

const target = 'examples/bruno';

/** Path from the repository's root, and text. */
export function brunoCollection(): Record<string, string> {
  const tags = [...new Set(allRoutes.map(tagOf))];
  const requests = tags.flatMap(tag =>
    allRoutes
      .filter(route => tagOf(route) === tag)
      .map((route, index) => [`${target}/${tag}/${route.id}.bru`, requestOf(route, index + 1)] as const),
  );
  return {
    [`${target}/bruno.json`]: `${JSON.stringify({ version: '1', name: 'Hookline', type: 'collection' }, null, 2)}\n`,
    [`${target}/environments/environment.bru`]: environment,
    ...Object.fromEntries(requests),
  };
}

const environment = `vars {
  baseUrl: {{process.env.HOOKLINE_BASE_URL}}
  apiKey: {{process.env.HOOKLINE_API_KEY}}
  session: {{process.env.HOOKLINE_SESSION}}
}
`;

function tagOf({ path }: RouteContract): string {
  return path.split('/')[1] ?? '';
}

function requestOf(route: RouteContract, seq: number): string {
  const { method, path, auth, summary, example, upload, params, query } = route;
  const hasBody = example.body !== undefined;
  const token = auth === 'key' ? '{{apiKey}}' : '{{session}}';
  // In a path Bruno knows a parameter by its colon.
  const url = `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  return blocks([
    ['meta', `name: ${nameOf(summary)}\ntype: http\nseq: ${seq}`],
    [
      method.toLowerCase(),
      `url: ${url}\nbody: ${upload ? 'multipartForm' : hasBody ? 'json' : 'none'}\nauth: ${auth === 'none' ? 'none' : 'bearer'}`,
    ],
    params && [
      'params:path',
      fieldsOf(params)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    ],
    // The tilde: there to be switched on.
    query && [
      'params:query',
      fieldsOf(query)
        .map(([name, value]) => `~${name}: ${value}`)
        .join('\n'),
    ],
    honoursKey(route) && ['headers', 'Idempotency-Key: {{$guid}}'],
    auth !== 'none' && ['auth:bearer', `token: ${token}`],
    upload && ['body:multipart-form', 'file: @file(picture.jpg)'],
    hasBody && ['body:json', JSON.stringify(example.body, null, 2)],
    ['assert', `res.status: ${route.errors.includes('not_implemented') ? 'eq 501' : 'lt 500'}`],
    ['docs', `${route.description}\n\n${needsOf(route)}`],
  ]);
}

/** A name that is a file name too. */
function nameOf(summary: string): string {
  return summary.replaceAll(/[/\\:*?"<>|]/g, ' ').replaceAll(/\s+/g, ' ');
}

function needsOf({ auth, scopes }: RouteContract): string {
  if (auth === 'none') return 'Needs no credentials.';
  if (auth === 'session') return 'Needs a login session in HOOKLINE_SESSION.';
  return scopes.length > 0 ? `Needs a key with ${scopes.join(' and ')}.` : 'Needs any key.';
}

/** Names with their example, or with nothing. */
function fieldsOf(schema: z.ZodType): [string, string][] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, field]) => {
    const { examples, enum: values } = field as { examples?: unknown[]; enum?: unknown[] };
    return [name, String(examples?.[0] ?? values?.[0] ?? '')];
  });
}

function blocks(parts: readonly (readonly [string, string] | false | undefined)[]): string {
  return parts
    .filter(part => part !== undefined && part !== false)
    .map(([name, text]) => `${name} {\n${text.replaceAll(/^(?=.)/gm, '  ')}\n}\n`)
    .join('\n');
}
