// The bare peer: fastify and @fastify/http-proxy as in its README. No log, no limit, no check.
import proxy from '@fastify/http-proxy';
import fastify from 'fastify';

const [port, upstream] = process.argv.slice(2);
const app = fastify({ keepAliveTimeout: 65_000 });
app.register(proxy, { upstream });
await app.listen({ port: Number(port), host: '127.0.0.1' });
