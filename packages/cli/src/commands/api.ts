import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import { noAccess, usage } from '../failure.ts';
import { plain } from '../output.ts';
import type { Bind, Run } from '../run.ts';

export function addApi(program: Command, bind: Bind): void {
  const collect = (value: string, before: string[]): string[] => [...before, value];
  program
    .command('api <method> <path>')
    .description('call any route of the API and print its answer')
    .option('--data <json>', 'the body: JSON, @file, or - for standard input')
    .option(
      '-f, --field <name=value>',
      'a text in the body, or in the query of a GET; repeatable',
      collect,
      [],
    )
    .option(
      '-F, --typed-field <name=value>',
      'the same; true, false, null and numbers are not texts',
      collect,
      [],
    )
    .option('--idempotency-key <key>', 'for a POST (default: a new one)')
    .addHelpText(
      'after',
      `
The path is below the base URL. Approving is not here: hookline review.

Examples:
  hookline api GET /credits
  hookline api GET /content -f status=ready -F limit=5
  hookline api POST /apps --data @app.json
  hookline api PATCH /schedules/schedule_01k9… -f scheduledFor=2026-12-24T08:00:00Z`,
    )
    .action(bind(api));
}

type ApiOptions = {
  data?: string;
  field: string[];
  typedField: string[];
  idempotencyKey?: string;
};

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

async function api(run: Run, givenMethod: string, path: string, options: ApiOptions): Promise<void> {
  const method = givenMethod.toUpperCase() as Method;
  if (!methods.includes(method))
    throw usage(`"${givenMethod}" is not a method; there are ${methods.join(', ')}.`);
  if (!path.startsWith('/') || path.startsWith('//')) {
    throw usage(`"${path}" is not a path below the base URL; one looks like /content.`);
  }
  refuseApproval(path);
  const fields = { ...pairs(options.field, text => text), ...pairs(options.typedField, typed) };
  const hasFields = Object.keys(fields).length > 0;
  if (options.data !== undefined && hasFields) throw usage('--data and fields exclude each other.');
  const isQuery = method === 'GET' || method === 'DELETE';
  if (isQuery && options.data !== undefined)
    throw usage(`A ${method} has no body: give -f name=value for the query.`);
  const body = options.data === undefined ? fields : await readBody(run, options.data);
  const [below = '', ...search] = path.split('?');
  const given = new URLSearchParams(search.join('?'));
  const query = { ...Object.fromEntries(given), ...(isQuery ? fields : {}) };
  const hasBody = !isQuery && (hasFields || options.data !== undefined);
  const envelope = await run
    .client()
    .request(
      method,
      below,
      { query, ...(hasBody ? { body } : {}) },
      { idempotencyKey: options.idempotencyKey },
    );
  if (envelope.data instanceof Uint8Array) return run.io.stdout.write(envelope.data);
  run.out.record(envelope, () => JSON.stringify(envelope, null, 2).split('\n').map(plain));
}

/** However the path is spelled: the server decodes it, and ignores a slash at the end. */
function refuseApproval(path: string): void {
  let decoded = path;
  try {
    decoded = decodeURIComponent(new URL(path, 'http://localhost').pathname);
  } catch {
    throw usage(`"${path}" is not a path.`);
  }
  if (!/\/(content\/[^/]+\/approve|review\/decide)\/*$/i.test(decoded)) return;
  throw noAccess('Decks are approved by a person.', 'hookline review');
}

function pairs<T>(given: readonly string[], read: (text: string) => T): Record<string, T> {
  return Object.fromEntries(
    given.map(pair => {
      const at = pair.indexOf('=');
      if (at < 1) throw usage(`"${pair}" is not name=value.`);
      return [pair.slice(0, at), read(pair.slice(at + 1))];
    }),
  );
}

export function typed(text: string): unknown {
  // Longer numbers would lose digits, and 007 is not JSON.
  const isNumber = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text);
  return isNumber || ['true', 'false', 'null'].includes(text) ? JSON.parse(text) : text;
}

async function readBody({ io }: Run, given: string): Promise<unknown> {
  let text = given;
  if (given === '-') text = await textOf(io.stdin);
  else if (given.startsWith('@')) {
    try {
      text = readFileSync(given.slice(1), 'utf8');
    } catch {
      throw usage(`${given.slice(1)} cannot be read.`);
    }
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`--data is not JSON: ${(error as Error).message}`);
  }
}
