import type { FastifyReply } from 'fastify';
import { pause, type World } from '../world.ts';
import { defaultDelayMs, type Fault } from './faults.ts';

/**
 * The outcome of a fault for the route: the fault has answered, or the route continues and handles a fault of
 * its own kind.
 */
export type Met = { isAnswered: true } | { isAnswered: false; fault: Fault | null };

const oversizeBytes = 8_000_000;

/**
 * Draws a fault for this call and handles the kinds that every platform shares; the rest are left to the
 * route.
 */
export async function meetFault(
  world: World,
  reply: FastifyReply,
  platform: string,
  operation: string,
): Promise<Met> {
  const fault = world.faults.draw(platform, operation);
  if (fault === null) return { isAnswered: false, fault: null };
  if (fault.kind === 'slow') {
    await pause(world, fault.delayMs ?? defaultDelayMs);
    return { isAnswered: false, fault: null };
  }
  if (playAnswer(world, reply, fault.kind)) return { isAnswered: true };
  return { isAnswered: false, fault };
}

function playAnswer(world: World, reply: FastifyReply, kind: string): boolean {
  switch (kind) {
    case 'connection_dropped':
      dropConnection(reply);
      return true;
    case 'garbage':
      reply.type('text/html').send('<html><body>Something went wr\u0000{"data":');
      return true;
    case 'oversize':
      reply.type('application/json').send(' '.repeat(oversizeBytes));
      return true;
    case 'redirect':
      reply.redirect(`${world.settings.publicUrl}/elsewhere`, 302);
      return true;
    case 'down':
      reply.code(503).type('text/plain').send('Service Unavailable');
      return true;
    default:
      return false;
  }
}

/** Drops the connection: no status, no bytes. */
export function dropConnection(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.socket?.destroy();
}
