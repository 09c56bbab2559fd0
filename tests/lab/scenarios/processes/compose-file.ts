/** The processes of `docker-compose.yml` that run our own code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from '../../kit/product/processes.ts';

const Mount = z.union([
  z.string(),
  z.object({
    source: z.string(),
    target: z.string(),
    volume: z.object({ subpath: z.string() }).optional(),
  }),
]);

const ComposeService = z.object({
  image: z.string(),
  entrypoint: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
  /** Started on demand only. */
  profiles: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  volumes: z.array(Mount).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z
    .record(
      z.string(),
      z.object({ condition: z.enum(['service_healthy', 'service_completed_successfully']) }),
    )
    .default({}),
});
export type ComposeService = z.infer<typeof ComposeService>;

const ComposeFile = z.object({ services: z.record(z.string(), ComposeService) });

/** Every service of the file by its name. @throws Error when the file has another structure */
export function readComposeFile(): Map<string, ComposeService> {
  const text = readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8');
  return new Map(Object.entries(ComposeFile.parse(parse(text, { merge: true })).services));
}

/** True when it runs our code; the rest are third-party stores and monitoring. */
export function isOurs(service: ComposeService): boolean {
  return service.image.startsWith('hookline/');
}

/** Started on demand, not with the rest. */
export function isTool({ profiles }: ComposeService): boolean {
  return profiles.length > 0;
}

/** The whole command line, starting with the program. */
export function commandOf({ entrypoint, command }: ComposeService): string[] {
  return [...entrypoint, ...command];
}

/** Names in dependency order. @throws Error for a cycle */
export function inStartOrder(services: ReadonlyMap<string, ComposeService>): string[] {
  const ordered: string[] = [];
  const add = (name: string, way: readonly string[]): void => {
    if (way.includes(name)) throw new Error(`${[...way, name].join(' needs ')}: nothing could start`);
    const service = services.get(name);
    if (!service) throw new Error(`${way.at(-1)} depends on ${name}, which is not in the file`);
    if (ordered.includes(name)) return;
    for (const needed of Object.keys(service.depends_on)) add(needed, [...way, name]);
    ordered.push(name);
  };
  for (const name of services.keys()) add(name, []);
  return ordered;
}
