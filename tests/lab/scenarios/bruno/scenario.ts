/** The generated Bruno collection, run by Bruno's own command line against the whole product. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { ensureInstalled } from '../../../../tools/install.mjs';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { startStandalone } from '../../kit/product/standalone.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';

const folder = join(repositoryRoot, 'tests/lab/scenarios/bruno/cli');
// The lists and what needs no id: fewer answers of 200 mean that the key or the address did not arrive.
const answeredMin = 12;

type Report = {
  results: {
    name: string;
    response: { status: number | string };
    assertionResults: { status: string }[];
    error?: string | null;
  }[];
}[];

export const scenario = defineScenario({
  about: 'the collection of examples/bruno against the product: a request per operation, none answered 5xx',
  takes: '1 min',
  async run({ folder: output }): Promise<Outcome> {
    await ensureInstalled({
      dir: folder,
      lock: join(repositoryRoot, '.cache/install-bruno.lock'),
      what: "Bruno's command line",
      env: { ...process.env },
      say: line => console.log(`  ${line}`),
    });
    const product = await startStandalone();
    const { apiKey } = JSON.parse(readFileSync(join(product.dataDir, 'first-run.json'), 'utf8'));
    const report = join(output, 'report.json');
    const program = join(folder, 'node_modules/@usebruno/cli/bin/bru.js');
    const flags = ['run', '-r', '--env', 'environment', '--reporter-json', report];
    // A failed assertion is an exit code; the report says which.
    await promisify(execFile)(process.execPath, [program, ...flags], {
      cwd: join(repositoryRoot, 'examples/bruno'),
      env: { ...process.env, HOOKLINE_BASE_URL: product.baseUrl, HOOKLINE_API_KEY: apiKey },
      timeout: 240_000,
      maxBuffer: 32 * 1024 * 1024,
    }).catch(() => {});
    await product.remove();
    const results = (JSON.parse(readFileSync(report, 'utf8')) as Report).flatMap(run => run.results);
    const failed = results.filter(
      ({ assertionResults, error }) => error || assertionResults.some(({ status }) => status !== 'pass'),
    );
    for (const { name, response, error } of failed) {
      console.log(`  ${name}: ${response.status} ${error ?? ''}`);
    }
    const answered = results.filter(({ response }) => response.status === 200).length;
    return {
      isProven: results.length === allRoutes.length && failed.length === 0 && answered >= answeredMin,
      figures: { requests: results.length, failed: failed.length, 'answered 200': answered },
    };
  },
});
