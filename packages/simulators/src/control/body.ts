import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** Handles a JSON body that fits the schema; anything else is answered 400 with the reason. */
export function withBody<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  schema: z.ZodType<T>,
  act: (body: T) => unknown,
): unknown {
  const parsed = schema.safeParse(jsonOf(request.body));
  return parsed.success ? act(parsed.data) : refuse(reply, z.prettifyError(parsed.error));
}

function jsonOf(body: unknown): unknown {
  if (typeof body !== 'string' || body === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Answers 400 with a message. */
export function refuse(reply: FastifyReply, message: string): unknown {
  reply.code(400);
  return { error: { message } };
}
