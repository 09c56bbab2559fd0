import { alertObjects } from './alert-objects.ts';
import { allSettings } from './all-settings.ts';
import { cliSamples } from './cli-samples.ts';
import { proofsPage, readGoals, readRecords } from './proofs-page.ts';
import { environmentExample } from './settings-pages.ts';

/** Every generated document: path from the repository's root, and its text. */
export function documents(): Record<string, string> {
  return {
    '.env.example': environmentExample(allSettings),
    'deploy/k8s/base/alerts.yaml': alertObjects(),
    'docs/proofs.md': proofsPage(readGoals(), readRecords()),
    'packages/cli/src/generated/sample-events.json': cliSamples(),
  };
}
