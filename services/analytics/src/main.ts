import { runServiceProcess } from '@hookline/shared/service';

await runServiceProcess('analytics', () => import('./process.ts'));
