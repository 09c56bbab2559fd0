/** The keys of a person who decides deck by deck. */
import { interrupted } from './failure.ts';

export type Keyboard = {
  /**
   * The next key that is pressed from now on.
   * @throws Failure `interrupted` on Ctrl-C, and at the end of the input
   */
  next(): Promise<string>;
  /** Leaves the terminal to a question that reads it itself. */
  lend<T>(ask: () => Promise<T>): Promise<T>;
  close(): void;
};

type Terminal = Pick<NodeJS.ReadStream, 'on' | 'off' | 'setRawMode' | 'resume' | 'pause'>;

/**
 * Reads without a pause until it is closed, so that a key pressed while none is awaited is dropped: left in
 * the terminal, it would decide on a deck that nobody has seen yet.
 * @param interrupt for Ctrl-C while no key is awaited, which raises no signal here
 */
export function openKeyboard(
  stdin: Terminal,
  signal: AbortSignal,
  interrupt = (): void => void process.kill(process.pid, 'SIGINT'),
): Keyboard {
  let waiting: { resolve(key: string): void; reject(error: Error): void } | null = null;
  let isOver = signal.aborted;
  const onData = (data: Buffer | string): void => {
    const key = String(data);
    const waits = waiting;
    waiting = null;
    const isEnd = key.includes('\u0003') || key.includes('\u0004');
    if (!isEnd) waits?.resolve(key);
    else if (waits) waits.reject(interrupted());
    else interrupt();
  };
  const onEnd = (): void => {
    isOver = true;
    waiting?.reject(interrupted());
    waiting = null;
  };
  const listen = (): void => {
    stdin.setRawMode(true);
    stdin.on('data', onData);
    stdin.resume();
  };
  stdin.on('end', onEnd);
  signal.addEventListener('abort', onEnd, { once: true });
  listen();
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (isOver) reject(interrupted());
        else waiting = { resolve, reject };
      }),
    lend: async ask => {
      stdin.off('data', onData);
      try {
        return await ask();
      } finally {
        listen();
      }
    },
    close: () => {
      stdin.off('data', onData);
      stdin.off('end', onEnd);
      signal.removeEventListener('abort', onEnd);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
