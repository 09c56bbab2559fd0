export function isInstalled(dir: string): boolean;
export function withLock<T>(lock: string, say: (line: string) => void, work: () => Promise<T>): Promise<T>;
