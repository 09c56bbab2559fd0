/** The unchanged rules of `deploy/alerts`, with a minute made a second. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Rule, readRuleFiles } from '../../../../tools/alerts/rules.ts';

const scale = 60;
const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
// Thresholds compared to an age scale with the windows; durations of single requests do not.
const ages = /(_overdue|_age|_lateness)_seconds(_bucket)?\b/;

export function scaleDuration(text: string): string {
  const seconds = Number(text.slice(0, -1)) * (secondsIn[text.slice(-1)] ?? Number.NaN);
  return `${Math.round((seconds * 1_000) / scale)}ms`;
}

export function scaleRule(rule: Rule): Rule {
  const windows = rule.expr.replaceAll(/\[(\d+[smhd])\]/g, (_, text: string) => `[${scaleDuration(text)}]`);
  const expr = ages.test(rule.expr)
    ? windows.replace(/> (\d+)\s*$/, (_, bound: string) => `> ${Number(bound) / scale}`)
    : windows;
  return { ...rule, expr, ...(rule.for === undefined ? {} : { for: scaleDuration(rule.for) }) };
}

/** @returns the names of the alerts */
export function writeScaledRules(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const alerts: string[] = [];
  for (const [name, file] of readRuleFiles()) {
    const groups = file.groups.map(group => ({ ...group, rules: group.rules.map(scaleRule) }));
    writeFileSync(join(folder, name), stringify({ groups }));
    alerts.push(...groups.flatMap(group => group.rules.flatMap(rule => rule.alert ?? [])));
  }
  return alerts;
}
