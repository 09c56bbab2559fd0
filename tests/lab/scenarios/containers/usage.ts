/** Processor time and memory of the project's containers, from the counters of their engine. */
import { request } from 'node:http';
import { cpus } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { ofProject, project } from './project.ts';

const Containers = z.array(z.object({ Id: z.string(), Names: z.tuple([z.string()], z.string()) }));
const Stats = z.object({
  cpu_stats: z.object({ cpu_usage: z.object({ total_usage: z.number() }) }),
  memory_stats: z.object({ usage: z.number(), stats: z.record(z.string(), z.number()) }),
});
const mib = 2 ** 20;
const running = { label: [ofProject.replace('label=', '')], status: ['running'] };
const nameOf = new RegExp(`^/${project}-(.+)-1$`);

export type Usage = {
  /** Of one core, of each container, over the time given. Health checks are part of it. */
  percent: ReadonlyMap<string, number>;
  /** At the end of it, as `docker stats` counts: without files that nothing uses any more. */
  mib: ReadonlyMap<string, number>;
  /** Sum of all containers, at its beginning or at its end, whichever is more. */
  mibMost: number;
  /** Share of all cores in use over that time, including by processes outside the containers. */
  machinePercent: number;
};

/** @param socket of the engine */
export async function watchUsage(socket: string, ms: number): Promise<Usage> {
  const before = await readCounters(socket);
  const machineBefore = readMachine();
  await wait(ms);
  const after = await readCounters(socket);
  const machine = readMachine();
  const percent = new Map<string, number>();
  for (const [name, { cpuNs, atMs }] of after) {
    const first = before.get(name);
    if (first) percent.set(name, (cpuNs - first.cpuNs) / 1e4 / (atMs - first.atMs));
  }
  const busy = machine.busy - machineBefore.busy;
  return {
    percent,
    mib: new Map([...after].map(([name, { bytes }]) => [name, bytes / mib])),
    mibMost: Math.max(...[before, after].map(all => sum([...all.values()].map(one => one.bytes)))) / mib,
    machinePercent: (100 * busy) / (busy + machine.idle - machineBefore.idle),
  };
}

export function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

type Counters = { cpuNs: number; bytes: number; atMs: number };

async function readCounters(socket: string): Promise<Map<string, Counters>> {
  const filters = encodeURIComponent(JSON.stringify(running));
  const counters = new Map<string, Counters>();
  for (const { Id, Names } of Containers.parse(await ask(socket, `/containers/json?filters=${filters}`))) {
    const answer = await ask(socket, `/containers/${Id}/stats?stream=false&one-shot=true`);
    const { cpu_stats, memory_stats } = Stats.parse(answer);
    // Of cgroup v1, or of v2.
    const { total_inactive_file: v1, inactive_file: v2 = 0 } = memory_stats.stats;
    counters.set(Names[0].replace(nameOf, '$1'), {
      cpuNs: cpu_stats.cpu_usage.total_usage,
      bytes: memory_stats.usage - (v1 ?? v2),
      atMs: performance.now(),
    });
  }
  return counters;
}

async function ask(socketPath: string, path: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const asked = request({ socketPath, path, timeout: 10_000 }, answer => text(answer).then(resolve, reject));
  asked.once('error', reject);
  asked.once('timeout', () => asked.destroy(new Error(`the engine did not answer ${path}`)));
  asked.end();
  return JSON.parse(await promise);
}

function readMachine(): { busy: number; idle: number } {
  const times = cpus().map(cpu => cpu.times);
  return {
    busy: sum(times.map(({ user, nice, sys, irq }) => user + nice + sys + irq)),
    idle: sum(times.map(({ idle }) => idle)),
  };
}
