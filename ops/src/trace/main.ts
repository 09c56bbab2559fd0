/** `npm run trace -- <requestId>`: traces a request through a product of `npm start`, running or stopped. */
import { parseArgs } from 'node:util';
import { ConfigurationError, inheritedEnvironment } from '@hookline/shared/kernel';
import { runCommand } from '../run-command.ts';
import { withTarget } from '../target.ts';
import { gather } from './gather.ts';
import { layOut } from './lay-out.ts';

await runCommand('trace', async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [requestId] = positionals;
  if (requestId === undefined || !/^req_[0-9a-z]{10,40}$/.test(requestId) || positionals.length > 1) {
    throw new ConfigurationError(
      'Name one request id, as it appears in X-Request-Id and in errors: npm run trace -- req_01jd7r9c5mfw8s3k2n6q4t1vxz',
    );
  }
  return await withTarget(inheritedEnvironment(), {}, async target => {
    if (target.dataDir === null) {
      throw new ConfigurationError(
        'trace reads the log and tables of npm start; with DATABASE_URL set, look for the request in Grafana or your log store',
      );
    }
    const { happenings, traceId } = await gather(target, target.dataDir, requestId);
    if (happenings.length === 0) {
      throw new ConfigurationError(`${requestId} is not known in ${target.dataDir}`);
    }
    const began = new Date(Math.min(...happenings.map(({ atMs }) => atMs)));
    console.log(`${requestId}  ${began.toISOString()}${traceId ? `  trace ${traceId}` : ''}`);
    for (const line of layOut(happenings)) console.log(line);
    return true;
  });
});
