import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { findLocalModels } from './local-models.ts';

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
    const [ollama, studio, ours, page, list] = await Promise.all([
      serve(200, models('nomic-embed-text', 'qwen3:8b', 'gemma3')),
      serve(200, models('text-embedding-bge-m3')),
      serve(404, '{"error":{"code":"not_found"}}'),
      serve(200, '<html>'),
      serve(200, '{"models":[]}'),
    ]);
    const programs = [studio, ours, page, list, 9].map(port => ({ program: String(port), port }));
    const named = { program: 'Ollama', port: ollama, provider: 'ollama' as const };
    expect(await findLocalModels([named, ...programs, { program: 'Other', port: ollama }])).toEqual([
      { program: 'Ollama', provider: { LLM_PROVIDER: 'ollama' }, model: 'qwen3:8b' },
      {
        program: 'Other',
        provider: { LLM_BASE_URL: `http://127.0.0.1:${ollama}/v1` },
        model: 'qwen3:8b',
      },
    ]);
  });
});
