import { runServiceProcess } from '@hookline/shared/service';

await runServiceProcess('content', () => import('./process.ts'));
