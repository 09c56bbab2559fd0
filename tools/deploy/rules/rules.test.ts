/** Each rule fails for a defect planted into the real manifests. */
import { describe, expect, it } from 'vitest';
import { render } from '../kubernetes.ts';
import { findInstalledKustomize } from '../linters.ts';
import { workloadsOf } from '../manifests.ts';
import { settingsPlants as plants } from '../test/settings-plants.ts';
import { allRules, findComplaints } from './all.ts';
import { noExamples } from './examples.ts';

// The check ring installs a missing renderer; without one there is nothing to plant into.
const kustomize = await findInstalledKustomize();
const real = kustomize ? await render('deploy/k8s/overlays/production', kustomize) : [];

describe.skipIf(!kustomize)('the rules of deploy/k8s', () => {
  it('find nothing in the manifests as they are', () => {
    expect(workloadsOf(real)).toHaveLength(12);
    expect(findComplaints(real)).toEqual([]);
  });

  it.each(plants)('$rule: $defect', ({ rule, says, plant }) => {
    const manifests = structuredClone(real);
    const planted = plant(manifests) ?? manifests;
    const complaints = findComplaints(
      planted,
      allRules.filter(({ name }) => name === rule),
    );
    expect(complaints.join('\n')).toMatch(says);
  });

  it('tells what is an example, for the check of a release', () => {
    const complaints = findComplaints(real, [noExamples]).join('\n');
    expect(complaints).toMatch(/gateway: registry\.example\.com\S+ is no image that exists/);
    expect(complaints).toMatch(/scheduling-api: TIKTOK_CLIENT_KEY is example/);
    const text = JSON.stringify(real)
      .replaceAll(/sha256:0{64}/g, `sha256:${'a1'.repeat(32)}`)
      .replaceAll('example.com', 'acme.test')
      .replaceAll('"example"', '"aw4u7rz"')
      .replaceAll('192.0.2.0/28', '10.42.7.0/28');
    expect(findComplaints(JSON.parse(text), [...allRules, noExamples])).toEqual([]);
  });

  it('has a planted defect for every rule', () => {
    expect([...new Set(plants.map(({ rule }) => rule))].sort()).toEqual(
      allRules.map(({ name }) => name).sort(),
    );
  });
});
