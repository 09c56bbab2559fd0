import { runServiceProcess } from '@hookline/shared/service-process';

await runServiceProcess('content', () => import('./process.ts'));
