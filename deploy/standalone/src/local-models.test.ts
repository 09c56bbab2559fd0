import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { findLocalModels, listModels } from './local-models.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function serve(status: number, body: string): Promise<number> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const models = (...ids: unknown[]) => JSON.stringify({ object: 'list', data: ids.map(id => ({ id })) });

describe('models on this machine', () => {
  it('are found at the programs that answer with one that can write', async () => {
    const [ollama, studio, ours, page] = await Promise.all([
      serve(200, models('nomic-embed-text', 'qwen3:8b', 'gemma3')),
      serve(200, models('text-embedding-bge-m3')),
      serve(404, '{"error":{"code":"not_found"}}'),
      serve(200, '<html>'),
    ]);
    const programs = [ollama, studio, ours, page, 9].map(port => ({ program: String(port), port }));
    expect(await findLocalModels(programs)).toEqual([
      { program: String(ollama), baseUrl: `http://127.0.0.1:${ollama}/v1`, model: 'qwen3:8b' },
    ]);
  });

  it.each([
    [401, '', 'it answers 401'],
    [200, '{"models":[]}', 'its answer is not a list of models'],
    [200, 'no', 'its answer is not a list of models'],
  ])('%i %j: %s', async (status, body, sentence) => {
    const port = await serve(status, body);
    await expect(listModels(`http://127.0.0.1:${port}/v1`)).rejects.toThrow(sentence);
  });

  it('says when nothing listens', async () => {
    const port = await serve(200, '');
    await new Promise(resolve => servers.pop()?.close(resolve));
    await expect(listModels(`http://127.0.0.1:${port}/v1`)).rejects.toThrow(
      'it does not answer (ECONNREFUSED)',
    );
  });
});
