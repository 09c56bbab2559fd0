import { stringify } from 'yaml';
import { readRuleFiles } from '../alerts/rules.ts';

/** The files of `deploy/alerts` as objects for the Prometheus operator, one per file. */
export function alertObjects(): string {
  const objects = [...readRuleFiles()]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([file, { groups }]) =>
      stringify(
        {
          apiVersion: 'monitoring.coreos.com/v1',
          kind: 'PrometheusRule',
          metadata: { name: `hookline-${file.replace('.rules.yaml', '')}` },
          spec: { groups },
        },
        { lineWidth: 0 },
      ),
    );
  return `# Made by "npm run generate" from deploy/alerts: change it there.\n${objects.join('---\n')}`;
}
