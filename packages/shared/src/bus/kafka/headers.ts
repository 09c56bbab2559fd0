import { isUtf8 } from 'node:buffer';

export type WireHeaders = Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>;

/** Kafka's headers are bytes and may repeat; the last value of a name counts. */
export function decodeHeaders(headers: WireHeaders | undefined): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined && last !== null) decoded[name] = last.toString();
  }
  return decoded;
}

export function isText(bytes: Buffer | null): boolean {
  return bytes !== null && isUtf8(bytes);
}
