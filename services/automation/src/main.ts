import { runServiceProcess } from '@hookline/shared/service-process';

await runServiceProcess('automation', () => import('./process.ts'));
