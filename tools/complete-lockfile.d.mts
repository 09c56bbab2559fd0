type Entry = { version?: string; os?: string[]; cpu?: string[]; libc?: string[]; optional?: boolean };
type LockedEntry = Entry & {
  name?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
  integrity?: string;
  link?: boolean;
};
export function findMissingEntries(lockfile: {
  packages: Record<string, LockedEntry>;
}): Record<string, Entry>;
/** Paths of the packages that npm could not verify. */
export function findUnverifiedEntries(lockfile: { packages: Record<string, LockedEntry> }): string[];
