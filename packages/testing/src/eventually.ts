/**
 * Waits until the assertion holds, asking every 20 ms.
 * @throws the assertion's last error after `timeoutMs` (default 5,000).
 */
export async function eventually<T>(assertion: () => T | Promise<T>, timeoutMs = 5_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }
}
