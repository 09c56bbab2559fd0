import { runServiceProcess } from '@hookline/shared/service';

await runServiceProcess('scheduling', () => import('./process.ts'));
