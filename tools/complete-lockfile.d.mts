type Entry = { version?: string; os?: string[]; cpu?: string[]; libc?: string[]; optional?: boolean };
type LockedEntry = Entry & { optionalDependencies?: Record<string, string> };
export function findMissingEntries(lockfile: {
  packages: Record<string, LockedEntry>;
}): Record<string, Entry>;
