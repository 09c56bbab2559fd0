/** A real Prometheus that scrapes the product's processes and evaluates its alerts. */
import { spawn } from 'node:child_process';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPrometheus } from '@hookline/infra/prometheus';
import { eventually } from '@hookline/testing/eventually';
import { stringify } from 'yaml';
import { freePorts } from '../../kit/product/processes.ts';

export type Target = { service: string; port: number };

export type AlertWatch = {
  /** Times at which each alert began to fire and stopped, in order. */
  history: { alert: string; state: 'fires' | 'clears'; at: number }[];
  isFiring(alert: string): boolean;
  stop(): Promise<void>;
};

const checkEveryMs = 250;

/**
 * Scrapes every process and evaluates the rules twice a second; automation, whose database the run takes
 * away, every 2.4 s, since a gauge that cannot be read delays the answer by 2 s.
 * @param rulesDir holds `*.rules.yaml`
 */
export async function startPrometheus(
  folder: string,
  rulesDir: string,
  targets: readonly Target[],
): Promise<AlertWatch> {
  const [port] = await freePorts(1);
  const config = join(folder, 'prometheus.yaml');
  writeFileSync(
    config,
    stringify({
      global: { evaluation_interval: '500ms' },
      rule_files: [join(rulesDir, '*.rules.yaml')],
      scrape_configs: targets.map(({ service, port: metricsPort }) => {
        const everyMs = service === 'automation' ? 2_400 : 500;
        return {
          job_name: service,
          scrape_interval: `${everyMs}ms`,
          scrape_timeout: `${everyMs}ms`,
          static_configs: [{ targets: [`127.0.0.1:${metricsPort}`], labels: { job: 'hookline', service } }],
        };
      }),
    }),
  );
  const out = openSync(join(folder, 'prometheus.log'), 'a');
  const child = spawn(
    findPrometheus().prometheus,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', out, out] },
  );
  const exited = new Promise(resolve => child.once('exit', resolve));
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    const answer = await fetch(`${url}/-/ready`);
    if (!answer.ok) throw new Error('Prometheus is not ready');
  }, 30_000);

  const firing = new Set<string>();
  const history: AlertWatch['history'] = [];
  const timer = setInterval(() => void check().catch(() => {}), checkEveryMs);
  async function check(): Promise<void> {
    const answer = await fetch(`${url}/api/v1/alerts`, { signal: AbortSignal.timeout(2_000) });
    const { data } = (await answer.json()) as {
      data: { alerts: { state: string; labels: { alertname: string } }[] };
    };
    const now = new Set(data.alerts.filter(one => one.state === 'firing').map(one => one.labels.alertname));
    const at = Date.now();
    for (const alert of now) if (!firing.has(alert)) history.push({ alert, state: 'fires', at });
    for (const alert of firing) if (!now.has(alert)) history.push({ alert, state: 'clears', at });
    firing.clear();
    for (const alert of now) firing.add(alert);
  }
  return {
    history,
    isFiring: alert => firing.has(alert),
    async stop() {
      clearInterval(timer);
      child.kill('SIGTERM');
      await exited;
    },
  };
}
