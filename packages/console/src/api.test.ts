import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { api } from './api.ts';

let close = () => {};
afterEach(() => {
  close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The client talks to `listener`, and a read has 200 ms instead of 30 s. */
async function serve(listener: RequestListener): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  const { fetch } = globalThis;
  const { timeout } = AbortSignal;
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { json } = response;
    // Chromium names a body that a time limit breaks off like a cancelled one.
    const broken = new DOMException('The user aborted a request.', 'AbortError');
    response.json = () =>
      json.call(response).catch(error => Promise.reject(init.signal?.aborted ? broken : error));
    return response;
  });
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 200));
}

it('a read that nobody answers ends after its time limit, without a repeat', async () => {
  let requests = 0;
  await serve(() => {
    requests += 1;
  });
  await expect(api.get('/content')).rejects.toMatchObject({ status: 0, code: 'offline' });
  expect(requests).toBe(1);
});

it('an answer whose body breaks off is no answer', async () => {
  await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{ "data": [');
  });
  await expect(api.get('/content')).rejects.toMatchObject({ status: 0, code: 'offline' });
});

it('an answer that is no JSON is an error of the server', async () => {
  await serve((_, response) => {
    response.writeHead(500).end('<h1>Bad gateway</h1>');
  });
  await expect(api.get('/content')).rejects.toMatchObject({ status: 500, code: 'unknown' });
});
