import type { Manifest, Rule } from '../manifests.ts';
import { consumerGroups } from './consumer-groups.ts';
import { networkRules } from './network.ts';
import { settingsRules } from './settings.ts';

/** All rules for an installation's manifests (reliability goal G-O7, and the product's own needs). */
export const allRules: readonly Rule[] = [...networkRules, ...settingsRules, consumerGroups];

/** Violations, each with the rule's name. */
export function findComplaints(manifests: readonly Manifest[], rules: readonly Rule[] = allRules): string[] {
  return rules.flatMap(({ name, find }) => find(manifests).map(text => `${name}: ${text}`));
}
