/** The command line as a child process, and servers that answer it. */
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@hookline/testing/eventually';
import { expect } from 'vitest';
import { repositoryRoot } from '../lab/kit/product/processes.ts';

export const cli = join(repositoryRoot, 'packages/cli/dist/hookline.js');
const receivers: Server[] = [];

export type Ended = { code: number | null; stdout: string; stderr: string };
type Started = {
  ended: Promise<Ended>;
  interrupt(): void;
  /** Everything printed so far. */
  output(): string;
  type(text: string): void;
  /** The last of the input. */
  finish(text: string): void;
};

/**
 * @param folder working directory and home of the commands.
 * @param dataDir where they look for the product's keys
 */
export function commandsIn(folder: string, dataDir: string) {
  /** With the data folder of the product, and an empty configuration unless `env` says otherwise. */
  function start(
    args: readonly string[],
    env: Record<string, string> = {},
    program = process.execPath,
  ): Started {
    const child = spawn(program, program === process.execPath ? [cli, ...args] : args, {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        DATA_DIR: dataDir,
        TERM: 'xterm',
        LANG: 'C.UTF-8',
        ...env,
      },
      stdio: 'pipe',
    });
    // A command may end before it has read everything.
    child.stdin.on('error', () => undefined);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', chunk => (stdout += chunk));
    child.stderr.on('data', chunk => (stderr += chunk));
    const ended = new Promise<Ended>(resolve =>
      child.on('close', code => {
        // Whatever a command prints, a key is never in it.
        expect(stdout + stderr).not.toMatch(/svc_live_[0-9A-Za-z]{20}|sess_[\w-]{20}/);
        resolve({ code, stdout, stderr });
      }),
    );
    return {
      ended,
      interrupt: () => child.kill('SIGINT'),
      output: () => stdout + stderr,
      type: text => child.stdin.write(text),
      finish: text => child.stdin.end(text),
    };
  }

  function run(
    args: readonly string[],
    { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
  ) {
    const started = start(args, env);
    started.finish(input);
    return started.ended;
  }

  /**
   * On a pseudo-terminal; types each text once what it answers to is on the screen. A function does something
   * else first, such as what a colleague does meanwhile.
   */
  async function onTerminal(
    args: readonly string[],
    steps: readonly [string | RegExp, string | (() => Promise<string>)][],
    env = {},
  ): Promise<Ended> {
    const command = [process.execPath, cli, ...args].map(word => `'${word}'`).join(' ');
    const started = start(['-qefc', `stty cols 100 rows 40; ${command}`, '/dev/null'], env, 'script');
    let seen = 0;
    for (const [expected, typed] of steps) {
      await eventually(() => expect(started.output().slice(seen)).toMatch(expected), 15_000);
      seen = started.output().length;
      started.type(typeof typed === 'string' ? typed : await typed());
    }
    return await started.ended;
  }

  /** The data of a command that is expected to succeed. */
  async function dataOf<T = Record<string, unknown>>(args: readonly string[], options = {}): Promise<T> {
    const { code, stdout, stderr } = await run(args, options);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout) as T;
  }

  return { start, run, onTerminal, dataOf };
}

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export async function serve(handle: Handler): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', chunk => (body += chunk));
    request.on('end', () => handle(request, response, body));
  });
  receivers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function closeServers(): void {
  for (const receiver of receivers) receiver.close();
}

export function answer(response: ServerResponse, body: unknown, type = 'application/json'): void {
  response
    .writeHead(200, { 'content-type': type })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}

export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ error: { code, message: 'No.', requestId: 'req_1' } }));
}
