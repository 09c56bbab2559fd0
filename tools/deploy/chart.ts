/**
 * The Helm chart, made from the rendered base of `deploy/k8s`: settings, images, resources and numbers of
 * replicas become values, everything else stays as it is.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import product from '../../package.json' with { type: 'json' };
import { ROOT, runCommand } from '../test/run-command.ts';
import { overlays, render } from './kubernetes.ts';
import { findHelm } from './linters.ts';
import { type Manifest, ofKind, readManifests, workloadsOf } from './manifests.ts';

const timeoutMs = 60_000;

const helpers = `{{- define "hookline.image" }}
{{- $values := (index . 0).Values }}
{{- $values.registry }}/{{ index . 1 }}
{{- with get $values.digests (index . 1) }}@{{ . }}{{ else }}:{{ $values.tag | default (index . 0).Chart.AppVersion }}{{ end }}
{{- end }}
{{- define "hookline.data" }}
{{- range $name, $value := . }}
  {{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}
`;

/** Writes the chart to a folder, which it empties first. @param registry of the images */
export async function writeChart(folder: string, registry: string): Promise<void> {
  const values = {
    registry,
    tag: '',
    digests: {},
    imagePullSecrets: [],
    namespaces: {},
    config: {},
    scale: {},
    resources: {},
    omit: [],
  };
  const base = withoutHashes(await render('deploy/k8s/base'));
  const objects = base
    .filter(({ kind }) => kind !== 'Namespace')
    .map(object => makeTemplate(object, values))
    .join('');
  const { name, version, description } = product;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'templates'), { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  write(
    'Chart.yaml',
    stringify({
      apiVersion: 'v2',
      name,
      version,
      appVersion: version,
      description,
      kubeVersion: '>=1.30.0-0',
    }),
  );
  write('values.yaml', `${aboutValues}${stringify(values)}`);
  write('templates/_helpers.tpl', helpers);
  write('templates/objects.yaml', objects);
}

const aboutValues = `# config: settings by ConfigMap, all of them texts; .env.example explains each. At least common.PUBLIC_URL,
# bus.KAFKA_BROKERS, gateway.TRUSTED_PROXIES, content.S3_* and scheduling.TIKTOK_CLIENT_KEY have to be added.
# digests: of images, by service; the others are taken by tag, the chart's appVersion by default.
# namespaces: where the peers of the network policies are.
# scale: GATEWAY_REPLICAS is the gateway's max and one more.
# omit: kinds to leave out, e.g. [PodMonitor, PrometheusRule] without the Prometheus operator.
`;

type Values = Record<'digests' | 'namespaces' | 'config' | 'scale' | 'resources', Record<string, unknown>>;

/** A place that Helm fills. The expression has no double quote, which YAML would escape. */
const hole = (expression: string): string => `@@${expression}@@`;

/** The template of an object, in its own document; its values are added to `values`. */
function makeTemplate(object: Manifest, values: Values): string {
  const { kind } = object;
  const { name } = object.metadata;
  const lift = (group: keyof Values, key: string, value: unknown): string => {
    values[group][key] = value;
    return `(index .Values.${group} \`${key}\`)`;
  };
  const open = JSON.parse(JSON.stringify(object), (key, value) => {
    if (key === 'namespace') return undefined;
    if (key === 'image')
      return hole(`include \`hookline.image\` (list $ \`${/\/(\w+):/.exec(value)?.[1]}\`)`);
    if (key === 'resources') return hole(`${lift('resources', name, value)} | toJson`);
    if (key === 'kubernetes.io/metadata.name' && value !== 'kube-system')
      return hole(lift('namespaces', value, value));
    const [, end] = /^(min|max)Replica(?:s|Count)$/.exec(key) ?? [];
    if (end === undefined) return value;
    values.scale[name] = { ...(values.scale[name] as object), [end]: value };
    return hole(`(index .Values.scale \`${name}\`).${end}`);
  });
  if (kind === 'ConfigMap')
    open.data = hole(`include \`hookline.data\` ${lift('config', name, object.data ?? {})}`);
  if (kind === 'ServiceAccount') open.imagePullSecrets = hole('.Values.imagePullSecrets | toJson');
  // A Job cannot be changed: each release has its own.
  if (kind === 'Job') open.metadata.name = `${name}-${hole('.Release.Revision')}`;
  if (kind === 'Deployment')
    open.spec.template.metadata.annotations = {
      'checksum/config': hole('.Values.config | toJson | sha256sum'),
    };
  const text = stringify(open, { lineWidth: 0 })
    .replaceAll('{{', '{{`{{`}}')
    .replaceAll(/"?@@([^@]+)@@"?/g, '{{ $1 }}');
  return `{{- if not (has \`${kind}\` .Values.omit) }}\n---\n${text}{{- end }}\n`;
}

/** ConfigMaps under the names that they have before kustomize appends a digest of their content. */
function withoutHashes(manifests: readonly Manifest[]): Manifest[] {
  let text = JSON.stringify(manifests);
  for (const { metadata } of ofKind(manifests, 'ConfigMap'))
    text = text.replaceAll(`"${metadata.name}"`, `"${metadata.name.replace(/-\w{10}$/, '')}"`);
  return JSON.parse(text) as Manifest[];
}

/** Objects that the chart with an overlay's values renders otherwise than kustomize, and what `helm lint` says. */
export async function lintChart(): Promise<string[]> {
  const folder = join(ROOT, '.cache/deploy/hookline');
  await writeChart(folder, 'registry.example.com/hookline');
  const complaints = await Promise.all(overlays.map(async overlay => compare(folder, await render(overlay))));
  return complaints.flat();
}

async function compare(folder: string, wanted: readonly Manifest[]): Promise<string[]> {
  const file = `${folder}.values.json`;
  writeFileSync(file, JSON.stringify(valuesOf(withoutHashes(wanted))));
  const helm = await findHelm();
  // A helm that Go has compiled takes itself for one of Kubernetes 1.20.
  const given = [folder, '--values', file, '--kube-version', '1.30.0'];
  const linted = await runCommand(helm, ['lint', '--strict', ...given], { timeoutMs });
  const rendered = await runCommand(helm, ['template', 'hookline', ...given], { timeoutMs });
  if (linted.code !== 0 || rendered.code !== 0) return [linted.output.trim(), rendered.output.trim()];
  const [ours, theirs] = [byId(withoutHashes(wanted)), byId(readManifests(rendered.output))];
  const ids = new Set([...ours.keys(), ...theirs.keys()]);
  return [...ids]
    .filter(id => !isDeepStrictEqual(ours.get(id), theirs.get(id)))
    .map(id => `the chart's ${id} is not that of deploy/k8s`);
}

function valuesOf(manifests: readonly Manifest[]): object {
  const images = workloadsOf(manifests).flatMap(({ containers }) =>
    containers.map(({ image = '' }) => image),
  );
  return {
    digests: Object.fromEntries(images.map(image => /(\w+)@(.+)/.exec(image)?.slice(1) ?? [])),
    config: Object.fromEntries(
      ofKind(manifests, 'ConfigMap').map(({ metadata, data = {} }) => [metadata.name, data]),
    ),
  };
}

/** Objects by kind and name, without what only one of the two ways writes. */
function byId(manifests: readonly Manifest[]): Map<string, unknown> {
  const objects = manifests.filter(object => object !== null && object.kind !== 'Namespace');
  return new Map(
    objects.map(object => {
      const plain = JSON.parse(JSON.stringify(object), (key, value) => {
        if (key === 'namespace' || key === 'checksum/config' || key === 'imagePullSecrets') return undefined;
        return isDeepStrictEqual(value, {}) && (key === 'annotations' || key === 'data') ? undefined : value;
      });
      if (plain.data === null) delete plain.data;
      if (plain.kind === 'Job') plain.metadata.name = plain.metadata.name.replace(/-\d+$/, '');
      return [`${plain.kind} ${plain.metadata.name}`, plain];
    }),
  );
}
