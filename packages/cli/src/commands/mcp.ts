import { addAbortSignal } from 'node:stream';
import type { Command } from 'commander';
import type { Access } from '../access.ts';
import { noAccess } from '../failure.ts';
import { productUrl } from '../links.ts';
import type { Bind, Run } from '../run.ts';
import { version } from '../version.ts';

export function addMcp(program: Command, bind: Bind): void {
  program
    .command('mcp')
    .description('serve the tools of the product to an agent over standard input and output')
    .addHelpText(
      'after',
      `
Passes each message to POST /mcp of the product, so that the tools are those of its version and of the key in use.
No tool approves.

In an agent's configuration, where <checkout> is the folder of the repository:
  { "command": "node", "args": ["<checkout>/packages/cli/dist/hookline.js", "mcp"],
    "env": { "HOOKLINE_API_KEY": "…", "HOOKLINE_BASE_URL": "…" } }`,
    )
    .action(bind(mcp));
}

/** A tool call may write and draw a deck. */
const timeoutMs = 180_000;
const lineBytesMax = 4 * 1024 * 1024;
/** -32000 to -32099 are for servers to define. */
const bridgeError = -32_000;
/** Messages in flight; the lines after them wait in the pipe. */
const pendingMax = 32;

type Message = {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
};

async function mcp(run: Run): Promise<void> {
  const access = run.access();
  if (access.apiKey === undefined) throw noAccess(`There is no key for ${access.baseUrl}.`, 'hookline login');
  const bridge = createBridge(run, access);
  const pending = new Set<Promise<void>>();
  for await (const line of linesOf(addAbortSignal(run.io.signal, run.io.stdin))) {
    if (line.trim() === '') continue;
    const work = bridge(line).finally(() => pending.delete(work));
    pending.add(work);
    // The version that they agree on goes with every later message.
    if (line.includes('"initialize"')) await work;
    if (pending.size >= pendingMax) await Promise.race(pending);
  }
  await Promise.all(pending);
}

/** Splits at LF alone: readline would also end a line at a U+2028 within a JSON text. */
async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

function createBridge({ io, out }: Run, access: Access): (line: string) => Promise<void> {
  const url = `${productUrl(access.baseUrl)}/mcp`;
  let protocolVersion: string | undefined;
  const write = (message: unknown): void => io.stdout.write(`${JSON.stringify(message)}\n`);
  const refuse = (id: Message['id'], code: number, message: string): void => {
    if (id !== undefined) write({ jsonrpc: '2.0', id, error: { code, message } });
  };

  return async line => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return refuse(null, -32_700, 'The line is not JSON.');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return refuse(null, -32_600, 'The line is not a message: it must be an object.');
    }
    const message = value as Message;
    if (line.length > lineBytesMax) return refuse(message.id, -32_600, 'The message is too large.');
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.any([io.signal, AbortSignal.timeout(timeoutMs)]),
        headers: headersOf(message, access.apiKey ?? '', protocolVersion),
        body: line,
      });
      const text = await response.text();
      const messages = messagesOf(text, response.headers.get('content-type') ?? '');
      for (const answer of messages) {
        protocolVersion = agreedVersion(message, answer) ?? protocolVersion;
        write(answer);
      }
      const isAnswered = messages.some(answer => (answer as Message).id === message.id);
      if (isAnswered || message.id === undefined) return;
      refuse(message.id, bridgeError, `${url} answered ${response.status}: ${reasonIn(text)}`);
    } catch (error) {
      if (io.signal.aborted) return;
      const { message: why, cause } = error as Error & { cause?: { code?: string } };
      const reason = `${url} gave no answer (${cause?.code ?? why}).`;
      out.say(`hookline: ${reason}`);
      refuse(message.id, bridgeError, `${reason} The same call again creates nothing twice.`);
    }
  };
}

/** The headers that repeat the method and the tool's name are those of the specification of 2026-07-28. */
function headersOf(
  { method, params }: Message,
  apiKey: string,
  agreed: string | undefined,
): Record<string, string> {
  const meta = params?._meta as Record<string, unknown> | undefined;
  const stated = meta?.['io.modelcontextprotocol/protocolVersion'];
  const wanted = typeof stated === 'string' ? stated : method === 'initialize' ? undefined : agreed;
  const name = params?.name ?? params?.uri;
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    authorization: `Bearer ${apiKey}`,
    'user-agent': `hookline-cli/${version}`,
    ...(wanted === undefined ? {} : { 'mcp-protocol-version': wanted }),
    ...(wanted === undefined || method === undefined ? {} : { 'mcp-method': method }),
    ...(wanted !== undefined && typeof name === 'string' && isHeaderText(name) ? { 'mcp-name': name } : {}),
  };
}

const isHeaderText = (text: string): boolean => /^[\x20-\x7e]{1,256}$/.test(text);

function agreedVersion({ method }: Message, answer: unknown): string | undefined {
  const { result } = answer as { result?: { protocolVersion?: unknown } };
  return method === 'initialize' && typeof result?.protocolVersion === 'string'
    ? result.protocolVersion
    : undefined;
}

/** @returns the messages of a JSON answer or of an event stream; an error envelope is not one */
function messagesOf(text: string, contentType: string): unknown[] {
  const texts = contentType.includes('text/event-stream')
    ? text.split(/\r?\n\r?\n/).map(block =>
        block
          .split(/\r?\n/)
          .filter(part => part.startsWith('data:'))
          .map(part => part.slice(5).trimStart())
          .join('\n'),
      )
    : [text];
  return texts.flatMap(one => {
    if (one.trim() === '') return [];
    try {
      const value = JSON.parse(one) as unknown;
      const all = Array.isArray(value) ? value : [value];
      return all.filter(entry => (entry as Message | null)?.jsonrpc === '2.0');
    } catch {
      return [];
    }
  });
}

function reasonIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string } };
    return error?.message ?? 'no message';
  } catch {
    return 'no JSON: is the base URL right?';
  }
}
