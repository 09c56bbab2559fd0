import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { meetFault } from '../faults/answers.ts';
import { isJson } from '../tiktok/call.ts';
import { newLogId } from '../tiktok/ids.ts';
import type { World } from '../world.ts';
import { dataOf, schemaOf, validateRequest } from './request-rules.ts';
import { sampleOf } from './sample.ts';
import { spoil } from './spoil.ts';
import { keepRequest } from './state.ts';

/**
 * An OpenAI-compatible endpoint as strict as the real one: answers a value of the requested JSON schema, or a
 * sentence.
 */
export function llmRoutes(app: FastifyInstance, world: World): void {
  app.post('/v1/chat/completions', (request, reply) => complete(world, request, reply));
}

async function complete(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const body = bodyOf(request.body);
  keepRequest(world.llm, { at: world.now(), ...keyOf(request), body });
  const met = await meetFault(world, reply, 'llm', 'chat_completions');
  if (met.isAnswered) return reply;
  const kind = met.fault?.kind ?? null;
  if (kind === 'rate_limited') {
    reply.header('retry-after', String(Math.ceil((met.fault?.delayMs ?? 1_000) / 1_000)));
    return refuse(reply, 429, 'rate_limit_exceeded', 'Rate limit reached.');
  }
  if (kind === 'internal_error') return refuse(reply, 500, 'server_error', 'The server had an error.');
  const key = String(request.headers.authorization ?? '').replace(/^Bearer /i, '');
  // A key of another form is known to be wrong; without one it is a local endpoint.
  if (kind === 'invalid_api_key' || (key !== '' && !key.startsWith('sk-'))) {
    // The real one also quotes both ends of the key.
    const shown = `${key.slice(0, 8)}${'*'.repeat(24)}${key.slice(-4)}`;
    return refuse(reply, 401, 'invalid_request_error', `Incorrect API key provided: ${shown}.`);
  }
  const refusal = refusalOf(kind, body);
  if (refusal) return reply.code(refusal.status).send(refusal.body);
  const complaint = isJson(request) ? validateRequest(body, kind) : 'Content-Type must be application/json.';
  if (complaint !== null) return refuse(reply, 400, 'invalid_request_error', complaint);
  const answer = completion(world, body as Record<string, unknown>, kind);
  return body?.stream === true ? stream(reply, answer) : reply.send(answer);
}

/** The text in pieces, as server-sent events. */
function stream(reply: FastifyReply, answer: ReturnType<typeof completion>): FastifyReply {
  const { choices, object: _, usage: __, ...rest } = answer;
  const content = choices[0]?.message.content;
  const words = typeof content === 'string' ? content.split(/(?<= )/) : [];
  const pieces = words.map(content => ({
    ...rest,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content } }],
  }));
  const events = [...pieces.map(piece => JSON.stringify(piece)), '[DONE]'];
  return reply.type('text/event-stream').send(events.map(event => `data: ${event}\n\n`).join(''));
}

function completion(world: World, body: Record<string, unknown>, kind: string | null) {
  const schema = schemaOf(body, kind === 'ignores_schema');
  const value = schema === null ? 'A plain answer of the simulator.' : sampleOf(schema, dataOf(body));
  const { message, finishReason } = spoil(value, kind, body);
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }];
  return {
    id: `chatcmpl-${newLogId(world.now())}`,
    object: 'chat.completion',
    created: Math.floor(world.now() / 1000),
    model: body.model,
    choices: kind === 'empty_choices' ? [] : choices,
    usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 },
  };
}

function keyOf(request: FastifyRequest): { hasKey: boolean; keyDigest: string | null } {
  const key = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const keyDigest = key === undefined ? null : createHash('sha256').update(key).digest('hex');
  return { hasKey: key !== undefined, keyDigest };
}

/** Refusals of hosted providers, each in its own words and shape. */
function refusalOf(
  kind: string | null,
  body: Record<string, unknown> | null,
): { status: number; body: unknown } | null {
  const error = (message: string, code: string) => ({ error: { message, type: code, param: null, code } });
  switch (kind) {
    case 'invalid_key_listed': {
      const message = 'API key not valid. Please pass a valid API key.';
      return { status: 400, body: [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }] };
    }
    case 'unauthorized_detail':
      return { status: 401, body: { detail: 'Unauthorized' } };
    case 'model_not_found': {
      const message = `The model \`${body?.model}\` does not exist or you do not have access to it.`;
      return { status: 404, body: error(message, 'model_not_found') };
    }
    case 'insufficient_quota': {
      const message = 'You exceeded your current quota, please check your plan and billing details.';
      return { status: 429, body: error(message, 'insufficient_quota') };
    }
    case 'prompt_filtered':
      return { status: 400, body: error('The response was filtered. Modify your prompt.', 'content_filter') };
    case 'input_flagged': {
      const metadata = { reasons: ['violence'], flagged_input: 'knives', provider_name: 'OpenAI' };
      return { status: 403, body: { error: { code: 403, message: 'Your input was flagged', metadata } } };
    }
    case 'refuses_extra': {
      const name = ['reasoning_effort', 'temperature'].find(field => field in (body ?? {}));
      const detail = [
        { type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' },
      ];
      return name === undefined ? null : { status: 422, body: { object: 'error', message: { detail } } };
    }
    default:
      return null;
  }
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
