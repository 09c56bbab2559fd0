/** The files beside the generated clients: settings, and programs that use them. */
const compilerOptions = {
  ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], module: 'nodenext', types: [] },
  ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, allowImportingTsExtensions: true },
};

const use = `
import createClient from 'openapi-fetch';
import { type Content, createContent, type Error as HooklineError } from './hey/index.ts';
import type { paths, webhooks } from './types.d.ts';

export async function ofHey(): Promise<Content | HooklineError | undefined> {
  const { data, error } = await createContent({
    headers: { 'Idempotency-Key': 'key' },
    body: { appId: 'product_1', type: 'slideshow', brief: { slideCount: 3 } },
  });
  return data ? data.data : error;
}

export async function ofFetch(): Promise<string | undefined> {
  const client = createClient<paths>({ baseUrl: 'http://localhost:8080/api/v1' });
  const { data, error } = await client.GET('/content/{id}', { params: { path: { id: 'content_1' } } });
  return data ? data.data.result?.hook : error.error.code;
}

export type Failed = webhooks['schedule.failed']['post']['requestBody']['content']['application/json'];
export const failureOf = (event: Failed): string | undefined => event.data.failure?.code;
`;

export const ownClient = `
import { Hookline } from '@hookline/sdk';

export async function ofOurs(): Promise<string> {
  const hookline = new Hookline({ apiKey: 'svc_live_x' });
  for await (const content of hookline.content.list({ status: 'ready' })) return content.id;
  return (await hookline.schedules.create({ contentId: 'c', tiktokAccountId: 'a' })).id;
}
`;

const readAnswers = `
import { readFileSync } from 'node:fs';
export const answers = Object.entries(JSON.parse(readFileSync('answers.json', 'utf8')));
const names = path => [...path.matchAll(/\\{(\\w+)\\}/g)].map(([, name]) => [name, 'x']);
export const pathOf = path => Object.fromEntries(names(path));
const takesBody = method => method === 'POST' || method === 'PATCH';
export const bodyOf = (id, { method }) =>
  takesBody(method) ? { body: id === 'addPicture' ? { file: new Blob() } : {} } : {};
export const fetchOf = ({ status, body }) => async () =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
export function check(id, read, { body }) {
  if (JSON.stringify(read) !== JSON.stringify(body)) throw new Error(id + ' was read as ' + JSON.stringify(read));
}
`;

const readHey = `
import * as sdk from './hey/index.ts';
import { answers, bodyOf, check, fetchOf, pathOf } from './answers.mjs';
for (const [id, answer] of answers) {
  const to = { fetch: fetchOf(answer), baseUrl: 'http://localhost/api/v1' };
  const given = { path: pathOf(answer.path), ...bodyOf(id, answer), ...to };
  const { data } = await sdk[id](given);
  check(id, data, answer);
}
console.log('answers read: ' + answers.length);
`;

const readFetch = `
import createClient from 'openapi-fetch';
import { answers, bodyOf, check, fetchOf, pathOf } from './answers.mjs';
for (const [id, answer] of answers) {
  const client = createClient({ baseUrl: 'http://localhost/api/v1', fetch: fetchOf(answer) });
  const given = { params: { path: pathOf(answer.path) }, ...bodyOf(id, answer) };
  const { data } = await client[answer.method](answer.path, given);
  check(id, data, answer);
}
console.log('answers read: ' + answers.length);
`;

const readPython = `
import importlib, json, pathlib, re
import httpx
from client import Client

modules = {file.stem: ".".join(file.with_suffix("").parts) for file in pathlib.Path("client/api").glob("*/*.py")}
# Times are read as such and written with another precision and name of the zone.
def plain(value):
    return re.sub(r"(\\d\\d:\\d\\d:\\d\\d)(\\.\\d+)?(Z|\\+00:00)", r"\\1", json.dumps(value, sort_keys=True))


answers = json.loads(pathlib.Path("answers.json").read_text())
for operation, answer in answers.items():
    module = importlib.import_module(modules[re.sub("([A-Z])", r"_\\1", operation).lower()])
    response = httpx.Response(answer["status"], json=answer["body"])
    read = module._parse_response(client=Client(base_url="http://localhost"), response=response)
    assert plain(read.to_dict()) == plain(answer["body"]), f"{operation} was read as {read}"
print(f"answers read: {len(answers)}")
`;

/**
 * Their template passes on the arguments of \`__exit__\` as objects; nothing of our document is in that file.
 */
const mypySettings = `[mypy]
[mypy-client.client]
disable_error_code = arg-type
`;

export const files: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': JSON.stringify({
    compilerOptions,
    include: ['hey', 'types.d.ts', 'use.ts', 'sdk/use.ts'],
  }),
  'hey.config.mjs': `export default {
  input: './openapi.json',
  output: { path: './hey', module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
};
`,
  'mypy.ini': mypySettings,
  'use.ts': use,
  'answers.mjs': readAnswers,
  'read-hey.mjs': readHey,
  'read-fetch.mjs': readFetch,
  'read.py': readPython,
};
