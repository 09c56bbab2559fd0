export function isInstalled(dir: string): boolean;
export function withLock<T>(lock: string, say: (line: string) => void, work: () => Promise<T>): Promise<T>;
export function ensureInstalled(options: {
  dir: string;
  lock: string;
  what: string;
  env: Record<string, string | undefined>;
  say: (line: string) => void;
}): Promise<void>;
