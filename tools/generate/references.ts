import { errorCatalogue } from '@hookline/shared/contracts';
import { allEvents } from '@hookline/shared/events';
import { allSettings } from './all-settings.ts';
import { cliPage } from './cli-page.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { metricsPage } from './metrics-page.ts';
import { configurationPage } from './settings-pages.ts';

/** References that `npm run reference` prints, in Markdown. */
export const references: Readonly<Record<string, () => string>> = {
  cli: cliPage,
  configuration: () => configurationPage(allSettings),
  errors: () => errorsPage(errorCatalogue),
  events: () => eventsPage(allEvents),
  metrics: metricsPage,
};
