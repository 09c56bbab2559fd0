import { runServiceProcess } from '@hookline/shared/service-process';

await runServiceProcess('gateway', () => import('./process.ts'));
