import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { meetFault } from '../faults/answers.ts';
import { newLogId } from '../tiktok/ids.ts';
import type { World } from '../world.ts';
import { sampleOf } from './sample.ts';

/** A minimal OpenAI-compatible endpoint: always a value that satisfies the JSON schema asked for, or a sentence. */
export function llmRoutes(app: FastifyInstance, world: World): void {
  app.post('/v1/chat/completions', (request, reply) => complete(world, request, reply));
}

async function complete(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const met = await meetFault(world, reply, 'llm', 'chat_completions');
  if (met.isAnswered) return reply;
  if (met.fault?.kind === 'rate_limited')
    return refuse(reply, 429, 'rate_limit_exceeded', 'Rate limit reached.');
  const body = bodyOf(request.body);
  if (body === null || !Array.isArray(body.messages) || typeof body.model !== 'string') {
    return refuse(reply, 400, 'invalid_request_error', 'model and messages are required.');
  }
  const format = body.response_format as { type?: string; json_schema?: { schema?: unknown } } | undefined;
  const schema = format?.type === 'json_schema' ? format.json_schema?.schema : undefined;
  const content =
    schema === undefined ? 'A plain answer of the simulator.' : JSON.stringify(sampleOf(schema));
  return reply.send({
    id: `chatcmpl-${newLogId(world.now())}`,
    object: 'chat.completion',
    created: Math.floor(world.now() / 1000),
    model: body.model,
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 },
  });
}

function refuse(reply: FastifyReply, status: number, type: string, message: string): FastifyReply {
  return reply.code(status).send({ error: { message, type, param: null, code: null } });
}

function bodyOf(body: unknown): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(String(body));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
