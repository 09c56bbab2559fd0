/** What can go wrong on one TCP connection (Toxiproxy's list is the model). The near side is who called. */
import type { Socket } from 'node:net';

export type Toxic =
  /** Every byte of the answer comes `delayMs` later. */
  | { kind: 'latency'; delayMs: number }
  /** The request arrives, its answer is swallowed; the line stays open for `afterMs`, then ends. */
  | { kind: 'timeout'; afterMs: number }
  /** Reset `afterMs` after the first byte of the request, wherever the exchange stands. */
  | { kind: 'reset_peer'; afterMs: number }
  /** The answer passes; the end of the line comes `delayMs` later. */
  | { kind: 'slow_close'; delayMs: number }
  /** Accepted, and then nothing: the other side never hears of it. */
  | { kind: 'half_open' }
  /** Reset at once. */
  | { kind: 'down' }
  /** The request arrives and is answered; the caller sees a reset instead of the first byte. */
  | { kind: 'drop_answer' };

/** Shares of connections from 0 to 1; they add up. The rest passes unharmed. */
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

/** True when the near side hears of the far side's end later than it comes, so that it must not be ended with it. */
export function tellsEndLate({ kind }: Toxic): boolean {
  return kind === 'latency' || kind === 'timeout' || kind === 'slow_close';
}

/** Joins the two sides as the toxic wants it. */
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
