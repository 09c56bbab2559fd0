/** `npm run chart [-- <registry>]`: writes the Helm chart of the product; the images are those of the registry. */
import { join } from 'node:path';
import { ROOT } from '../test/run-command.ts';
import { writeChart } from './chart.ts';

const folder = join(ROOT, '.cache/chart/hookline');
await writeChart(folder, process.argv[2] ?? 'registry.example.com/hookline');
console.log(folder);
