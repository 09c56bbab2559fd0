import { runServiceProcess } from '@hookline/shared/service-process';

await runServiceProcess('scheduling', () => import('./process.ts'));
