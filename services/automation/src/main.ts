import { runServiceProcess } from '@hookline/shared/service';

await runServiceProcess('automation', () => import('./process.ts'));
