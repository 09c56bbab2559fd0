/**
 * The processes of `deploy/k8s/overlays/production` that run our own code, in the form of the compose file: a
 * service's api and worker are separate. Stores and simulators stay those of the compose file.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from '../../../../tools/deploy/kubernetes.ts';
import { environmentOf, type Manifest, workloadsOf } from '../../../../tools/deploy/manifests.ts';
import { type ComposeService, readComposeFile } from './compose-file.ts';
import { addressesHere } from './places.ts';

/** As the Dockerfile sets it. */
const imageEnvironment = { NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '8080', METRICS_PORT: '9464' };
/** Chosen by an installation; here it is the compose file's choice. */
const chosen =
  /^(PUBLIC_URL|SIGN_UP|STORES|TRUSTED_PROXIES|KAFKA_BROKERS|S3_\w+|APP_STORE_URL|GOOGLE_PLAY_URL|TIKTOK_\w+|YOUTUBE_API_URL|INSTAGRAM_API_URL)$/;

/** Every process by its name: `content` answers requests, `content-worker` does the rest. */
export async function readKubernetesFile(): Promise<Map<string, ComposeService>> {
  const compose = readComposeFile();
  const manifests = await render('deploy/k8s/overlays/production');
  const services = new Map(compose);
  for (const { labels, pod } of workloadsOf(manifests)) {
    const [container] = pod.containers;
    const service = labels['app.kubernetes.io/name'] ?? '';
    // The command of ops as a role that only reads, whose secret an operator makes.
    if (service === 'check-invariants') continue;
    const model = compose.get(service);
    if (!container || !model) throw new Error(`the compose file has no ${service}`);
    const isWorker = labels['app.kubernetes.io/component'] === 'worker';
    services.set(isWorker ? `${service}-worker` : service, {
      ...model,
      entrypoint: container.command ?? [],
      command: container.args ?? [],
      environment: environmentFor(service, model, container, manifests),
      ports: isWorker ? [] : model.ports,
    });
  }
  return services;
}

function environmentFor(
  service: string,
  model: ComposeService,
  container: Parameters<typeof environmentOf>[0],
  manifests: readonly Manifest[],
): Record<string, string> {
  const env: Record<string, string> = service === 'migrate' ? {} : { ...imageEnvironment };
  for (const [name, value] of environmentOf(container, manifests)) {
    if (!chosen.test(name) || name.endsWith('_FILE')) env[name] = value;
    else if (model.environment[name] !== undefined) env[name] = model.environment[name];
  }
  // Also what an installation may leave out: people sign up, and the platforms are simulated.
  for (const [name, value] of Object.entries(model.environment)) {
    if (chosen.test(name) && !name.endsWith('_FILE')) env[name] ??= value;
  }
  return env;
}

/**
 * Secrets that an operator provides, because nothing generates them: those that the compose file has in plain
 * text.
 */
export function writeGivenSecrets(
  services: ReadonlyMap<string, ComposeService>,
  folder: string,
  addresses: ReadonlyMap<string, string>,
): void {
  for (const [name, model] of readComposeFile()) {
    for (const [setting, path] of Object.entries(services.get(name)?.environment ?? {})) {
      const value = model.environment[setting.replace(/_FILE$/, '')];
      if (!setting.endsWith('_FILE') || value === undefined) continue;
      const file = join(folder, 'secrets', name, path.split('/').at(-1) ?? '');
      if (!existsSync(file)) writeFileSync(file, addressesHere(value, addresses));
    }
  }
}
