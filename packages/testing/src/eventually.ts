/**
 * Waits until the assertion holds. It asks after 10 ms, and then each time a tenth of the time waited passed,
 * at most 200 ms: asking every 20 ms kept a core half busy while a test waited.
 * @throws the assertion's last error after `timeoutMs` (default 5,000).
 */
export async function eventually<T>(assertion: () => T | Promise<T>, timeoutMs = 5_000): Promise<T> {
  const began = Date.now();
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      const waitedMs = Date.now() - began;
      if (waitedMs > timeoutMs) throw error;
      await new Promise(resolve => setTimeout(resolve, Math.min(Math.max(10, waitedMs / 10), 200)));
    }
  }
}
