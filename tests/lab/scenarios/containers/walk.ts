/** The README's journey through the ports that docker-compose.yml publishes. Prints one line of JSON. */
import { runFirstJourney } from '../../../../deploy/standalone/src/first-journey.ts';

const gateway = 'http://localhost:8080';
const simulators = 'http://localhost:8090';
const pages = ['/readyz', '/docs', '/console/', '/api/v1/openapi.json'];

const began = Date.now();
const first = await runFirstJourney(`${gateway}/api/v1`, simulators, {
  onStep: ({ title, detail, ms }) => console.error(`${title}: ${detail} (${ms} ms)`),
  contentMs: 60_000,
});
const seconds = Math.round((Date.now() - began) / 100) / 10;
const answers: Record<string, number> = {};
for (const page of pages) answers[page] = (await fetch(`${gateway}${page}`)).status;
const post = await fetch(first.platformPostUrl);
const image = await fetch(first.imageUrls[0] ?? '');
console.log(
  JSON.stringify({ seconds, answers, post: post.status, image: image.headers.get('content-type') }),
);
