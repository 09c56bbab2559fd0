/**
 * Notifications of a process, sent after their commits and merged when there are many. Inside the
 * transactions they would serialize all commits of the server: Postgres holds one cluster-wide lock from a
 * `notify` to the end of its commit, including the wait for the disk.
 */
export type Notifier = {
  notify(channels: readonly string[]): void;
  /** Drops pending notifications. */
  stop(): void;
};

// The first is sent at once; those that follow within this time are merged.
const gatherMs = 5;

/** @param send one statement for all channels; a failure is covered by the listeners' polling */
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
