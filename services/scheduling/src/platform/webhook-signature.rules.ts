import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

/** The header is `t=<unix seconds>,s=<hex>` over `<t>.<raw body>`, keyed with the client secret. */
export function isSignedByPlatform(header: unknown, body: Buffer, clientSecret: string, now: Date): boolean {
  if (typeof header !== 'string' || header.length > 512) return false;
  const parts = new Map(
    header.split(',').map(part => {
      const [name = '', value = ''] = part.trim().split('=', 2);
      return [name, value] as const;
    }),
  );
  const time = parts.get('t') ?? '';
  const signature = Buffer.from(parts.get('s') ?? '', 'hex');
  if (!/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(time)) > toleranceSeconds) return false;
  const expected = createHmac('sha256', clientSecret).update(`${time}.`).update(body).digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
