/** Open connections of a process to a port, read from /proc as `ss` does. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Number of the process's established connections to the port on loopback. */
export function countConnections(pid: number, port: number): number {
  const inodes = establishedInodes(port);
  let count = 0;
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const match = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`));
      if (match?.[1] && inodes.has(match[1])) count += 1;
    } catch {
      // Closed in the meantime.
    }
  }
  return count;
}

function establishedInodes(port: number): Set<string> {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[2]?.endsWith(remote) && fields[3] === '01' && fields[9]) inodes.add(fields[9]);
    }
  }
  return inodes;
}
