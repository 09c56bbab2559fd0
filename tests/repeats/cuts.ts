/** The points at which an HTTP exchange or a database conversation is cut. */
import type { CutRule, Piece } from '@hookline/testing/cut-at';

const headEnd = '\r\n\r\n';

/** The points of an exchange on a kept-alive connection, named by the data that had passed. */
export const exchangeCuts: Readonly<Record<string, () => CutRule>> = {
  'half of the request head': () => onRequest(({ bytes }) => Math.min(40, bytes.length)),
  'the request head': () => onRequest(({ bytes }) => Math.max(1, bytes.indexOf(headEnd) + headEnd.length)),
  'the request, and the answer was not awaited': () => onRequest(whole, true),
  'the request, and the answer was made': () => onAnswer(() => 0),
  'half of the answer': () => onAnswer(({ bytes }) => bytes.length >> 1),
};

/**
 * Cuts at the nth commit of a request: the commit, its answer, or the first statement after it. @param nth
 * from 1
 */
export function commitCut(what: 'commit' | 'its answer' | 'what follows', nth: number): CutRule {
  let seen = 0;
  let asked: number | null = null;
  if (what === 'what follows')
    return ({ from, bytes }) => {
      // A notification that nothing waits for may come first.
      if (seen === nth && from === 'client' && !bytes.includes('pg_notify')) return 0;
      if (from === 'client' && /commit\0/.test(bytes.toString('latin1'))) seen += 1;
      return null;
    };
  return ({ connection, from, bytes }) => {
    if (from === 'client' && /commit\0/.test(bytes.toString('latin1'))) {
      seen += 1;
      asked = seen === nth ? connection : null;
      return asked !== null && what === 'commit' ? 0 : null;
    }
    // The service has other connections, whose answers end nothing.
    return from === 'server' && asked === connection ? 0 : null;
  };
}

function whole({ bytes }: Piece): number {
  return bytes.length;
}

/** Applies to the client's first piece, or to the one that completes the request. */
function onRequest(judge: (piece: Piece) => number, isWhole = false): CutRule {
  return piece => {
    if (piece.from !== 'client') return null;
    return isWhole && !isComplete(piece.sentSoFar) ? null : judge(piece);
  };
}

function onAnswer(judge: (piece: Piece) => number): CutRule {
  return piece => (piece.from === 'server' ? judge(piece) : null);
}

function isComplete(request: Buffer): boolean {
  const end = request.indexOf(headEnd);
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(request.toString('latin1', 0, end))?.[1] ?? '0';
  return request.length >= end + headEnd.length + Number(length);
}
