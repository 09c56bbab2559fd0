import { errorCatalogue } from '@hookline/shared/contracts';
import { allEvents } from '@hookline/shared/events';
import { alertObjects } from './alert-objects.ts';
import { allSettings } from './all-settings.ts';
import { cliPage } from './cli-page.ts';
import { cliSamples } from './cli-samples.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { guidePages } from './guide-pages.ts';
import { metricsPage } from './metrics-page.ts';
import { proofsPage, readGoals, readRecords } from './proofs-page.ts';
import { configurationPage, environmentExample } from './settings-pages.ts';

/** Every generated document: path from the repository's root, and its text. */
export function documents(): Record<string, string> {
  return {
    '.env.example': environmentExample(allSettings),
    'deploy/k8s/base/alerts.yaml': alertObjects(),
    'docs/cli.md': cliPage(),
    'docs/configuration.md': configurationPage(allSettings),
    'docs/errors.md': errorsPage(errorCatalogue),
    'docs/events.md': eventsPage(allEvents),
    'docs/metrics.md': metricsPage(),
    ...guidePages(),
    'docs/proofs.md': proofsPage(readGoals(), readRecords()),
    'packages/cli/src/generated/sample-events.json': cliSamples(),
  };
}
