/** What a stranger sees of an installation. */
import { resolveTxt } from 'node:dns/promises';

export type Outside = {
  /** Follows no redirect. @returns null where nothing answers */
  get(url: string): Promise<{ status: number; text: string } | null>;
  /** @returns the TXT records of a name, none where it has none */
  txt(name: string): Promise<string[]>;
};

const patienceMs = 10_000;

export const outside: Outside = {
  async get(url) {
    try {
      const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return null;
    }
  },
  txt: async name => (await resolveTxt(name).catch(() => [])).map(parts => parts.join('')),
};
