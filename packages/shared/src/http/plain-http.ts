/** Finds settings that send data over the public internet without TLS. */
import type { Logger } from '../kernel/index.ts';

/** What an operator may also run on the same machine or in a private network, where http is usual. */
const names = ['LLM_BASE_URL', 'S3_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

type Given = Readonly<Record<string, unknown>>;

export async function warnOfPlainHttp(settings: Given, log: Logger): Promise<void> {
  for (const setting of await findPlainHttp(settings))
    log.warn({ setting }, `${setting} leaves this network without TLS: use https`);
}

/** Names of the settings with an `http:` address of a host that is neither loopback nor private. */
export async function findPlainHttp(settings: Given): Promise<string[]> {
  const plain = names.flatMap(name => {
    const value = settings[name];
    return typeof value === 'string' && value.startsWith('http:') ? [{ name, url: new URL(value) }] : [];
  });
  if (plain.length === 0) return [];
  // Most processes have no such setting and never load the ranges of addresses.
  const { bareHost, isPublicHost } = await import('./rules/public-address.ts');
  return plain
    .filter(({ url }) => {
      const host = bareHost(url.hostname);
      // <service>.<namespace>.svc is a name of a Kubernetes cluster.
      return isPublicHost(host) && !host.endsWith('.svc');
    })
    .map(({ name }) => name);
}
