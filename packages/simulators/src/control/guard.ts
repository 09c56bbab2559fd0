import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSame } from '../tiktok/ids.ts';
import type { World } from '../world.ts';

const cookieName = 'simulators_control';

/** The link that is printed at the start: it leaves the token in a cookie of the browser. */
export function enterRoute(app: FastifyInstance, world: World): void {
  app.get('/_enter', (request, reply) => {
    const { token } = request.query as { token?: unknown };
    if (!isToken(world, token)) return refuse(reply);
    reply.header('set-cookie', `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict`);
    return reply.header('cache-control', 'no-store').redirect('/', 303);
  });
}

/**
 * Lets holders of the token in, wherever they are: a person by the cookie, from the simulators' own pages,
 * and a program by `Authorization`.
 */
export function guardControl(world: World, { headers }: FastifyRequest, reply: FastifyReply): boolean {
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const cookie = new RegExp(`(?:^|; )${cookieName}=([^;]*)`).exec(headers.cookie ?? '')?.[1];
  // Every port of localhost is the same site, and so gets the cookie.
  const isOwnPage = ['none', 'same-origin'].includes(String(headers['sec-fetch-site'] ?? 'none'));
  if (isToken(world, bearer) || (isOwnPage && isToken(world, cookie))) return true;
  refuse(reply);
  return false;
}

function isToken({ settings }: World, given: unknown): boolean {
  return typeof given === 'string' && isSame(given, settings.controlToken);
}

function refuse(reply: FastifyReply): FastifyReply {
  const message = 'This needs the token that is printed at the start: open its link, or send it as a bearer.';
  return reply.code(403).send({ error: { message } });
}
