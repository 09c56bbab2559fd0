import type { Manifest, Rule } from '../manifests.ts';
import { availabilityRules } from './availability.ts';
import { consumerGroups } from './consumer-groups.ts';
import { networkRules } from './network.ts';
import { podRules } from './pods.ts';
import { settingsRules } from './settings.ts';

/** Everything that the manifests of an installation must be (reliability goal G-O7, and what the product itself needs). */
export const allRules: readonly Rule[] = [
  ...podRules,
  ...availabilityRules,
  ...networkRules,
  ...settingsRules,
  consumerGroups,
];

/** What breaks a rule, each with the rule's name. */
export function findComplaints(manifests: readonly Manifest[], rules: readonly Rule[] = allRules): string[] {
  return rules.flatMap(({ name, find }) => find(manifests).map(text => `${name}: ${text}`));
}
