import { runServiceProcess } from '@hookline/shared/service-process';

await runServiceProcess('analytics', () => import('./process.ts'));
