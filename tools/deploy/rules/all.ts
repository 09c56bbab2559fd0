import type { Manifest, Rule } from '../manifests.ts';
import { consumerGroups } from './consumer-groups.ts';
import { settingsRules } from './settings.ts';

/** Rules for an installation's manifests that no linter knows: settings, alerts and groups as the code has them. */
export const allRules: readonly Rule[] = [...settingsRules, consumerGroups];

/** Violations, each with the rule's name. */
export function findComplaints(manifests: readonly Manifest[], rules: readonly Rule[] = allRules): string[] {
  return rules.flatMap(({ name, find }) => find(manifests).map(text => `${name}: ${text}`));
}
