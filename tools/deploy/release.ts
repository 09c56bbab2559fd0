/**
 * `npm run check:release [-- <overlay> ...]`: checks an overlay before it is applied. In addition to the
 * rules of `npm run check`, nothing in it may be an example. Prints a line per complaint and exits with code
 * 1.
 */
import { findMalformed, render } from './kubernetes.ts';
import { allRules, findComplaints } from './rules/all.ts';
import { noExamples } from './rules/examples.ts';

const given = process.argv.slice(2);
const overlays = given.length > 0 ? given : ['deploy/k8s/overlays/production'];

for (const overlay of overlays) {
  const manifests = await render(overlay);
  const complaints = [
    ...findComplaints(manifests, [...allRules, noExamples]),
    ...(await findMalformed(manifests)),
  ];
  for (const complaint of complaints) console.error(`${overlay}: ${complaint}`);
  console.log(`${overlay}: ${manifests.length} objects, ${complaints.length} complaints`);
  if (complaints.length > 0) process.exitCode = 1;
}
