import { seedRandom } from '../rules/seeded-random.ts';
import { isGoodHook, listHooks, openingHooks } from './hooks.ts';
import { extractMaterial, type MaterialSource } from './material.ts';
import { choosePack, selectEntries, selectUnits } from './packs.ts';

export const seedHooksMax = 15;

/** Up to 15 distinct hooks for an app, of every archetype, the same for the same listing; `listingKey` is store and id. */
export function writeSeedHooks(app: MaterialSource, listingKey: string): string[] {
  const random = seedRandom(listingKey, 'seed hooks');
  const material = extractMaterial(app);
  const { haystack } = material;
  const pack = choosePack(material.category, haystack, '');
  const counts = random.shuffle([3, 4, 5, 6, 7, 8]);
  const lists = counts.map((count, i) =>
    random.shuffle(
      listHooks({ pack, haystack, material, count, random: seedRandom(listingKey, `list ${i}`) }),
    ),
  );
  const plain = selectEntries(pack.hooks.plain, haystack);
  const groups = [
    openingHooks({ material }),
    pickInTurn(lists),
    ...[pack.lessons, pack.scenes, pack.changes, pack.sparks].map(units =>
      random.shuffle(
        selectUnits<{ when: string[]; hooks: string[] }>(units, haystack).flatMap(unit => unit.hooks),
      ),
    ),
    [...plain.specific, ...plain.general],
  ];
  const chosen: string[] = [];
  const longest = Math.max(...groups.map(group => group.length));
  for (let i = 0; i < longest; i++) {
    for (const group of groups) {
      const hook = group[i];
      if (hook && isGoodHook(hook) && isNewAmong(chosen, hook)) chosen.push(hook);
    }
  }
  return chosen.slice(0, seedHooksMax);
}

/** One hook of each list, so that no two share their wording with another number. */
function pickInTurn(lists: readonly string[][]): string[] {
  const chosen: string[] = [];
  for (const list of lists) {
    const hook = list.find(candidate => isNewAmong(chosen, candidate));
    if (hook) chosen.push(hook);
  }
  return chosen;
}

function isNewAmong(chosen: readonly string[], hook: string): boolean {
  const bare = (text: string) => text.toLowerCase().replace(/\d+/g, '#');
  return chosen.every(other => bare(other) !== bare(hook));
}
