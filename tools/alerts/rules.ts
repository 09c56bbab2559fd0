/** The alert rules of `deploy/alerts`, as Prometheus reads them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../test/run-command.ts';

export const alertsDir = join(ROOT, 'deploy/alerts');

export type Rule = {
  expr: string;
  /** Name of a recording rule. */
  record?: string;
  alert?: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
};

export type RuleFile = { groups: { name: string; rules: Rule[] }[] };

/** By file name. */
export function readRuleFiles(): Map<string, RuleFile> {
  const names = readdirSync(alertsDir).filter(name => name.endsWith('.rules.yaml'));
  return new Map(
    names.map(name => [name, parse(readFileSync(join(alertsDir, name), 'utf8')) as RuleFile] as const),
  );
}

export function listRules(files: Iterable<RuleFile> = readRuleFiles().values()): Rule[] {
  return [...files].flatMap(file => file.groups.flatMap(group => group.rules));
}

const keywords = new Set(
  'by without on ignoring group_left group_right and or unless offset bool inf nan start end'.split(' '),
);

/** The metrics that a PromQL expression queries. It may contain Grafana's variables. */
export function metricsOf(expr: string): string[] {
  const bare = expr
    .replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ');
  const names = [...bare.matchAll(/(?<![\w$.])([a-zA-Z_:][\w:]*)(?!\s*\(|[\w:])/g)].map(
    ([, name]) => name ?? '',
  );
  return [...new Set(names)].filter(name => !keywords.has(name.toLowerCase()));
}
