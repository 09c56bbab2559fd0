/** Checks `deploy/k8s`: it renders, each object is valid for Kubernetes, and it satisfies every rule. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ProgramAbsent } from '../openapi/lint.ts';
import { ROOT, runCommand } from '../test/run-command.ts';
import { findGoModule, findKustomize, findPythonTool, type GoModule } from './linters.ts';
import { type Manifest, readManifests } from './manifests.ts';
import { findComplaints } from './rules/all.ts';

const timeoutMs = 300_000;
const folder = join(ROOT, '.cache/deploy');
/** The overlays that are applied; the base is only their input. */
export const overlays: readonly string[] = ['deploy/k8s/overlays/production'];

const prometheusOperator: GoModule = {
  path: 'github.com/prometheus-operator/prometheus-operator',
  version: 'v0.85.0',
  sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
};

/** Sources of the schemas of objects outside Kubernetes itself. */
const definitions: Readonly<Record<string, { module: GoModule; file: string }>> = {
  ScaledObject: {
    module: {
      path: 'github.com/kedacore/keda/v2',
      version: 'v2.21.0',
      sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
    },
    file: 'config/crd/bases/keda.sh_scaledobjects.yaml',
  },
  PodMonitor: {
    module: prometheusOperator,
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
  },
  PrometheusRule: {
    module: prometheusOperator,
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  },
};

/**
 * @throws LintersMissing when a tool is neither found nor installable. Error: a kustomization that does not
 * render
 */
export async function lintKubernetes(): Promise<string[]> {
  const complaints = await Promise.all(
    overlays.map(async overlay => {
      const manifests = await render(overlay);
      const broken = findComplaints(manifests);
      // Broken rules are reported even where the schemas are unavailable.
      const malformed = await findMalformed(manifests).catch((error: unknown) => {
        if (error instanceof ProgramAbsent && broken.length > 0) return [];
        throw error;
      });
      return [...broken, ...malformed];
    }),
  );
  return complaints.flat();
}

/** @param command of `findKustomize`, unless it was already found */
export async function render(overlay: string, command?: readonly string[]): Promise<Manifest[]> {
  const [program = '', ...args] = command ?? (await findKustomize());
  const { code, output } = await runCommand(program, [...args, overlay], { timeoutMs });
  if (code !== 0) throw new Error(`${overlay} does not render: ${output.trim()}`);
  return readManifests(output);
}

/** Objects with an unknown field, a missing required one, or a value of the wrong type. */
export async function findMalformed(manifests: readonly Manifest[]): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const own = manifests.filter(({ kind }) => !definitions[kind]);
  const [ours, ...others] = await Promise.all([
    validateOwn(own),
    ...Object.keys(definitions).map(kind =>
      validateKind(
        kind,
        manifests.filter(one => one.kind === kind),
      ),
    ),
  ]);
  return [...ours, ...others.flat()];
}

async function validateOwn(manifests: readonly Manifest[]): Promise<string[]> {
  const file = write('kubernetes.yaml', manifests.map(one => stringify(one)).join('---\n'));
  const { code, output } = await runCommand(await findPythonTool('kubernetes-validate'), ['--strict', file], {
    timeoutMs,
  });
  const complaints = output.split('\n').filter(line => line !== '' && !line.startsWith('INFO'));
  return code === 0 && complaints.length === 0 ? [] : complaints.map(line => line.replaceAll(`${file} `, ''));
}

async function validateKind(kind: string, manifests: readonly Manifest[]): Promise<string[]> {
  const definition = definitions[kind];
  if (!definition || manifests.length === 0) return [];
  const text = readFileSync(join(await findGoModule(definition.module), definition.file), 'utf8');
  const { spec } = parse(text) as {
    spec: { versions: { name: string; schema: { openAPIV3Schema: object } }[] };
  };
  const apiVersion = manifests[0]?.apiVersion ?? '';
  const version = spec.versions.find(({ name }) => apiVersion.endsWith(`/${name}`));
  if (!version) return [`${kind}: it has no ${apiVersion}`];
  const schema = write(`${kind}.schema.json`, JSON.stringify(refuseUnknown(version.schema.openAPIV3Schema)));
  const files = manifests.map(one => write(`${kind}-${one.metadata.name}.json`, JSON.stringify(one)));
  const { code, output } = await runCommand(
    await findPythonTool('check-jsonschema'),
    ['--schemafile', schema, ...files],
    { timeoutMs },
  );
  return code === 0 ? [] : [output.trim()];
}

/** The schema with every object closed: a cluster silently drops unknown fields. */
function refuseUnknown(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(refuseUnknown);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema)
      // A cluster reads patterns as Go does; JSON Schema rejects one that ignores case from the middle on.
      .filter(([key, value]) => key !== 'pattern' || typeof value !== 'string' || !value.includes('(?i)'))
      .map(([key, value]) => [key, refuseUnknown(value)]),
  );
  const isOpen =
    !closed.properties ||
    'additionalProperties' in closed ||
    closed['x-kubernetes-preserve-unknown-fields'] === true;
  // There `metadata` has no fields: it is Kubernetes' own.
  return isOpen ? closed : { ...closed, additionalProperties: false };
}

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
