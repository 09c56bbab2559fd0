/** Closed loop: wrk keeps every connection busy with one request after another. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One request of a load; a load repeats its list. */
export type LoadRequest = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

export type ClosedLoopResult = {
  requests: number;
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
};

/** Writes wrk's script for a list of requests into `dir`. @returns its path. */
export function writeWrkScript(dir: string, name: string, requests: readonly LoadRequest[]): string {
  const path = join(dir, `${name}.lua`);
  const entries = requests.map(({ method, path: url, headers, body }) => {
    const fields = Object.entries(headers).map(([key, value]) => `[${quote(key)}]=${quote(value)}`);
    return `wrk.format(${quote(method)},${quote(url)},{${fields.join(',')}}${body ? `,${quote(body)}` : ''})`;
  });
  writeFileSync(path, `${luaHead}${entries.map(entry => `list[#list+1]=${entry}`).join('\n')}\n${luaTail}`, {
    mode: 0o600,
  });
  return path;
}

// Lua allows 65,536 constants per function: the list is built in `init`, once per thread.
const luaHead = 'local list = {}\nlocal at = 0\nfunction init(args)\n';
const luaTail = `end
function request()
  at = at % #list + 1
  return list[at]
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\\nRESULT {"requests":%d,"us":%d,"status":%d,"sockets":%d,"p50":%d,"p99":%d}\\n',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`;

/** @throws Error when a request failed or was answered with 400 or more: a refusal is not a fast answer */
export async function runWrk(
  url: string,
  script: string,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<ClosedLoopResult> {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '5s', '-s', script, url];
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', chunk => {
    output += chunk;
  });
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const line = /^RESULT (.*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk said nothing that can be read: ${output}`);
  const { requests, us, status, sockets, p50, p99 } = JSON.parse(line) as Record<string, number>;
  if (!requests || !us || status || sockets) {
    throw new Error(`${url}: ${requests} requests, ${status} refused, ${sockets} socket errors`);
  }
  return {
    requests,
    seconds: us / 1e6,
    perSecond: (requests * 1e6) / us,
    p50Ms: (p50 ?? 0) / 1000,
    p99Ms: (p99 ?? 0) / 1000,
  };
}

function quote(text: string): string {
  return JSON.stringify(text);
}
