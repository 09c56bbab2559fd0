import { runServiceProcess } from '@hookline/shared/service';

await runServiceProcess('gateway', () => import('./process.ts'));
