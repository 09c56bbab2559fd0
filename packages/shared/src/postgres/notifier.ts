/**
 * Notifications of a process, sent after the commits that they tell of and merged while there are many. Inside the
 * transactions they would make every commit of the server wait for the one before it: Postgres holds one lock of the
 * whole cluster from a `notify` to the end of its commit, the wait for the disk included.
 */
export type Notifier = {
  notify(channels: readonly string[]): void;
  /** Drops pending notifications. */
  stop(): void;
};

// The first goes out at once; those that follow within this time go together.
const gatherMs = 5;

/** @param send one statement for all channels; a failure is left to the listeners' own look. */
export function createNotifier(send: (channels: string[]) => Promise<unknown>): Notifier {
  const waiting = new Set<string>();
  let isSending = false;
  let isStopped = false;

  async function sendWaiting(): Promise<void> {
    isSending = true;
    while (waiting.size > 0 && !isStopped) {
      const channels = [...waiting];
      waiting.clear();
      await send(channels).catch(() => {});
      await new Promise(resolve => setTimeout(resolve, gatherMs));
    }
    isSending = false;
  }

  return {
    notify(channels) {
      for (const channel of channels) waiting.add(channel);
      if (!isSending && !isStopped) void sendWaiting();
    },
    stop() {
      isStopped = true;
      waiting.clear();
    },
  };
}
