import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSame } from '../tiktok/ids.ts';
import type { World } from '../world.ts';

/** Lets loopback and holders of the control token in; a page of another site cannot use the person's own browser. */
export function guardControl(world: World, request: FastifyRequest, reply: FastifyReply): boolean {
  const isForeignPage = request.headers['sec-fetch-site'] === 'cross-site';
  if (!isForeignPage && (isLoopback(request.socket.remoteAddress ?? '') || hasToken(world, request)))
    return true;
  reply.code(403).send({ error: { message: '_control is open to loopback and to the control token only' } });
  return false;
}

function hasToken(world: World, request: FastifyRequest): boolean {
  const { controlToken } = world.settings;
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return controlToken !== null && bearer !== undefined && isSame(bearer, controlToken);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
