/** Posts an event to a receiver as a registered webhook would. */
import { usage } from './failure.ts';
import { signatureHeaders } from './sign.ts';

export type Delivered = { status: number | null; error: string | null; durationMs: number };

/** The product gives a receiver 15 s for one attempt. */
const timeoutMs = 15_000;

/** `3000`, `localhost:3000/hook` and full addresses. @throws Failure `usage` */
export function receiverUrl(text: string): string {
  const given = /^\d{1,5}$/.test(text)
    ? `http://localhost:${text}`
    : text.includes('://')
      ? text
      : `http://${text}`;
  try {
    const url = new URL(given);
    if (['http:', 'https:'].includes(url.protocol) && !url.username) return url.href;
  } catch {
    // Falls through to the message.
  }
  throw usage(`"${text}" is not an address; one looks like localhost:3000/hook.`);
}

/** Never throws for what a receiver does; a redirect is not followed. */
export async function deliver(
  url: string,
  event: { id: string },
  secret: string,
  signal: AbortSignal,
): Promise<Delivered> {
  const body = JSON.stringify(event);
  const began = performance.now();
  const took = (): number => Math.round(performance.now() - began);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Hookline-Webhooks/1',
        ...signatureHeaders(secret, event.id, new Date(), body),
      },
      body,
    });
    await response.body?.cancel();
    const error = response.ok ? null : `answered ${response.status}`;
    return { status: response.status, error, durationMs: took() };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    const why =
      name === 'TimeoutError'
        ? `no answer within ${timeoutMs / 1000} s`
        : (cause?.code ?? cause?.message ?? message);
    return { status: null, error: why, durationMs: took() };
  }
}
