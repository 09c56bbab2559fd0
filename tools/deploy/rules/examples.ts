/** Placeholders in `overlays/production`: fine in the repository, wrong in an installation. */
import { environmentOf, type Rule, workloadsOf } from '../manifests.ts';

const zeroDigest = /@sha256:0{64}$/;

export const noExamples: Rule = {
  name: 'nothing of an example',
  find: manifests =>
    workloadsOf(manifests).flatMap(({ id, containers }) =>
      containers.flatMap(container => [
        ...(zeroDigest.test(container.image ?? '')
          ? [`${id}: ${container.image} is no image that exists`]
          : []),
        ...[...environmentOf(container, manifests)]
          .filter(([, value]) => value === 'example' || /\bexample\.com\b|^192\.0\.2\./.test(value))
          .map(([name, value]) => `${id}: ${name} is ${value}`),
      ]),
    ),
};
