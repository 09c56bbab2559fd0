import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSame } from '../tiktok/ids.ts';
import type { World } from '../world.ts';

/**
 * Lets loopback and holders of the control token in. A page of another site cannot use the person's own
 * browser: not from its own address, and not by a name that it lets resolve to loopback.
 */
export function guardControl(world: World, request: FastifyRequest, reply: FastifyReply): boolean {
  const isForeignPage = request.headers['sec-fetch-site'] === 'cross-site';
  const isLocal = isLoopback(request.socket.remoteAddress ?? '') && isLocalName(request.hostname);
  if (!isForeignPage && (isLocal || hasToken(world, request))) return true;
  reply.code(403).send({ error: { message: '_control is open to loopback and to the control token only' } });
  return false;
}

function hasToken(world: World, request: FastifyRequest): boolean {
  const { controlToken } = world.settings;
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return controlToken !== null && bearer !== undefined && isSame(bearer, controlToken);
}

function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
