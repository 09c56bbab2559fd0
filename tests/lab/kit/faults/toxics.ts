/** Faults of a single TCP connection, modelled on Toxiproxy's list. The near side is the caller. */
import type { Socket } from 'node:net';

export type Toxic =
  /** Every byte of the answer arrives `delayMs` later. */
  | { kind: 'latency'; delayMs: number }
  /** The request arrives, its answer is dropped; the connection stays open for `afterMs`, then ends. */
  | { kind: 'timeout'; afterMs: number }
  /** Reset `afterMs` after the first byte of the request, at any point of the exchange. */
  | { kind: 'reset_peer'; afterMs: number }
  /** The answer passes; the end of the connection arrives `delayMs` later. */
  | { kind: 'slow_close'; delayMs: number }
  /** Accepted, then silent: the far side never learns of it. */
  | { kind: 'half_open' }
  /** Reset at once. */
  | { kind: 'down' }
  /** The request arrives and is answered; the caller sees a reset instead of the first byte. */
  | { kind: 'drop_answer' };

/** Shares of connections from 0 to 1; they add up. The rest is unaffected. */
export type ToxicShare = Toxic & { share: number };

export function drawToxic(shares: readonly ToxicShare[], random: () => number): ToxicShare | null {
  let left = random();
  for (const one of shares) {
    left -= one.share;
    if (left < 0) return one;
  }
  return null;
}

/** True when the toxic never lets the connection reach the far side. */
export function endsBeforeFarSide(toxic: Toxic, near: Socket): boolean {
  if (toxic.kind === 'down') near.resetAndDestroy();
  else if (toxic.kind === 'half_open') near.resume();
  else return false;
  return true;
}

/** True when the near side sees the far side's end with a delay, so that it must not be ended with it. */
export function tellsEndLate({ kind }: Toxic): boolean {
  return kind === 'latency' || kind === 'timeout' || kind === 'slow_close';
}

/** Connects the two sides with the toxic in between. */
export function joinPoisoned(toxic: Toxic, near: Socket, far: Socket): void {
  if (toxic.kind === 'reset_peer') {
    near.once('data', () => {
      setTimeout(() => {
        near.resetAndDestroy();
        far.destroy();
      }, toxic.afterMs);
    });
  }
  near.pipe(far);
  switch (toxic.kind) {
    case 'latency':
      far.on('data', chunk => setTimeout(() => near.writable && near.write(chunk), toxic.delayMs));
      far.on('end', () => setTimeout(() => near.end(), toxic.delayMs));
      return;
    case 'timeout':
      far.resume();
      far.once('data', () => setTimeout(() => near.destroy(), toxic.afterMs));
      return;
    case 'slow_close':
      far.pipe(near, { end: false });
      far.on('end', () => setTimeout(() => near.end(), toxic.delayMs));
      return;
    case 'drop_answer':
      far.once('data', () => {
        near.resetAndDestroy();
        far.destroy();
      });
      return;
    default:
      far.pipe(near);
  }
}
