import { runServiceProcess } from '@hookline/shared/service';

await runServiceProcess('content', async () => (await import('./service.ts')).content);
