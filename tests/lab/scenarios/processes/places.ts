/** Maps names, folders and ports of the compose file to this machine, without containers. */
import { join } from 'node:path';
import type { ComposeService } from './compose-file.ts';

export type Places = {
  /** Replaces the volumes. */
  folder: string;
  /** Address of each `host:port` of the file, several with commas for a scaled service. */
  addresses: ReadonlyMap<string, string>;
};

/** A service's environment with every name and path replaced, on new ports. */
export function environmentHere(
  service: ComposeService,
  { folder, addresses }: Places,
  port: number,
  metricsPort: number,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(service.environment)) {
    env[name] = mountsHere(service, folder, addressesHere(value, addresses));
  }
  if (env.PORT) env.PORT = String(port);
  if (env.SIMULATORS_PORT) env.SIMULATORS_PORT = String(port);
  if (env.METRICS_PORT) env.METRICS_PORT = String(metricsPort);
  // Containers have hostnames for each other; here everything is on loopback.
  if (env.SIMULATORS_LOCALHOST_IS) env.SIMULATORS_LOCALHOST_IS = 'localhost';
  if (env.HOST) env.HOST = '127.0.0.1';
  if (env.SIMULATORS_HOST) env.SIMULATORS_HOST = '127.0.0.1';
  // The tests' broker has no users.
  for (const name of Object.keys(env)) if (name.startsWith('KAFKA_SASL_')) delete env[name];
  // The collector is a third-party container without a replacement here.
  delete env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return env;
}

/** A path inside a container, mapped to the folder that replaces its volume. */
export function mountsHere(service: ComposeService, folder: string, value: string): string {
  for (const mount of service.volumes) {
    const [source, target, subpath = ''] =
      typeof mount === 'string' ? mount.split(':') : [mount.source, mount.target, mount.volume?.subpath];
    if (source && target && value.startsWith(target)) {
      return join(folder, source, subpath, value.slice(target.length));
    }
  }
  return value;
}

/** An address of the file, replaced if it has a replacement. */
export function addressesHere(value: string, addresses: ReadonlyMap<string, string>): string {
  const match = /^(?<scheme>\w+:\/\/)?(?<host>[\w.-]+:\d+)(?<path>\/.*)?$/.exec(value);
  const { scheme = '', host = '', path = '' } = match?.groups ?? {};
  const found = addresses.get(host);
  if (found === undefined) return value;
  return found
    .split(',')
    .map(address => `${scheme}${address}${path}`)
    .join(',');
}
