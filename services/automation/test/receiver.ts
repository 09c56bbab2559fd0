/** A webhook receiver on loopback that records requests and answers as configured. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { path: string; headers: IncomingHttpHeaders; body: string; at: number };
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hang';

export type Receiver = {
  /** `host:port`, in the form of WEBHOOK_ALLOW_TARGETS. */
  target: string;
  url(path?: string): string;
  received: Received[];
  /** Sets the answers of a path, used in turn; the last one repeats. Default 200. */
  answer(path: string, ...answers: Answer[]): void;
  stop(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const plans = new Map<string, Answer[]>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '/';
      received.push({
        path,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        at: Date.now(),
      });
      const plan = plans.get(path) ?? [];
      const answer = (plan.length > 1 ? plan.shift() : plan[0]) ?? { status: 200 };
      if (answer === 'hang') return;
      response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    target,
    url: (path = '/hook') => `http://${target}${path}`,
    received,
    answer: (path, ...answers) => void plans.set(path, answers),
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
