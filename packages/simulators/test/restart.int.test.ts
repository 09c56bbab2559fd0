import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@hookline/testing/eventually';
import { controlToken } from '@hookline/testing/simulator-controls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  allScopes,
  arrived,
  connect,
  control,
  initBody,
  type Listener,
  mediaServer,
  post,
  startSim,
} from './helpers.ts';

let dataDir: string;
let media: Listener;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hookline-restart-'));
  media = await mediaServer();
});
afterEach(async () => {
  await media.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a restart on the same data folder', () => {
  it('keeps tokens, posts, windows and faults, and finishes a download that was waiting', async () => {
    let clock = Date.now();
    const now = () => clock;
    const first = await startSim({ dataDir, pullDelayMs: 60_000, now });
    const token = await connect(first);
    const body = initBody([`${media.url}/1080x1350-a.jpg`]);
    for (let count = 0; count < 6; count += 1) await post(first, 'content/init/', token, body);
    await control(first, 'PUT', 'faults', [
      { platform: 'appstore', operation: 'lookup', kind: 'down', share: 0.5 },
    ]);
    await first.close();

    appendFileSync(join(dataDir, 'journal.ndjson'), '["shares","torn');
    clock += 59_000;
    const second = await startSim({ dataDir, now });
    expect((await post(second, 'content/init/', token, body)).status).toBe(429);
    clock += 1_000;
    expect(await arrived(second, 6)).toHaveLength(6);
    expect((await control(second, 'GET', 'faults')).body).toHaveLength(1);
    await second.close();
  });

  it('keeps a second process off the folder of one that runs', async () => {
    const first = await startSim({ dataDir });
    const token = await connect(first);
    await expect(startSim({ dataDir })).rejects.toThrow(/simulators run on .* stop them/);
    const body = initBody([`${media.url}/1080x1350-a.jpg`]);
    for (let count = 0; count < 6; count += 1) await post(first, 'content/init/', token, body);
    await first.close();
    const again = await startSim({ dataDir });
    expect((await post(again, 'content/init/', token, body)).status).toBe(429);
    await again.close();
  });
});

describe('kill -9 of the program', () => {
  it('loses nothing that was answered', async () => {
    const port = await freePort();
    let child = await run(port);
    const sim = { url: `http://127.0.0.1:${port}`, smtpPort: 0, dataDir, close: async () => undefined };
    const token = await connect(sim);
    const { body } = await post(sim, 'content/init/', token, initBody([`${media.url}/1080x1350-a.jpg`]));
    child.kill('SIGKILL');
    await new Promise(resolve => child.once('exit', resolve));
    child = await run(port);
    const rows = await arrived(sim, 1);
    expect(rows[0].publishId).toBe(body.data.publish_id);
    expect((await post(sim, 'creator_info/query/', token)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await new Promise(resolve => child.once('exit', resolve))).toBe(0);
  }, 90_000);
});

async function run(port: number): Promise<ChildProcess> {
  const main = join(import.meta.dirname, '../src/main.ts');
  const env = {
    ...process.env,
    SIMULATORS_PORT: String(port),
    SIMULATORS_CONTROL_TOKEN: controlToken,
    SIMULATORS_TIKTOK_SCOPES: allScopes,
    DATA_DIR: dataDir,
  };
  const child = spawn(process.execPath, [main], { env, stdio: 'ignore' });
  await eventually(() => fetch(`http://127.0.0.1:${port}/_control/faults`), 30_000);
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
