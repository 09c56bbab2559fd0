import type { Entry, Pack } from '../src/packs.ts';

const textOf = (entry: Entry) => (typeof entry === 'string' ? entry : entry.text);

/** Every text of a pack that can appear on a body slide; beats without their clock time. */
export function textsOfPack(pack: Pack): string[] {
  return [
    ...pack.advice.map(textOf),
    ...pack.lines.map(textOf),
    ...pack.lists.flatMap(({ points }) => points),
    ...pack.lessons.flatMap(({ belief, why, rule, example, limit }) => [belief, why, rule, example, limit]),
    ...pack.changes.flatMap(({ old, turn, steps, still }) => [...old, turn, ...steps, still]),
    ...pack.scenes.flatMap(({ beats, reveal }) => [...beats.map(beat => beat.slice(6)), reveal]),
    ...pack.sparks.flatMap(({ recognise, lower, build, today }) => [recognise, lower, ...build, today]),
  ];
}

/** Number of entries of each kind in a pack; for kinds made of units, the number of texts. */
export function countEntries(pack: Pack): Record<string, number> {
  const { lists, lessons, changes, scenes, sparks, hooks } = pack;
  return {
    audiences: pack.audiences.length,
    listHooks: hooks.listicle.length + lists.reduce((sum, list) => sum + list.hooks.length, 0),
    points: lists.reduce((sum, { points }) => sum + points.length, 0),
    plainHooks: hooks.plain.length,
    advice: pack.advice.length,
    lessons: lessons.length * 5,
    changes: changes.reduce((sum, { old, steps }) => sum + old.length + steps.length + 2, 0),
    scenes: scenes.reduce((sum, { beats }) => sum + beats.length + 1, 0),
    sparks: sparks.reduce((sum, { build }) => sum + build.length + 3, 0),
    lines: pack.lines.length,
    captions: pack.captions.length,
    soft: pack.soft.length,
    direct: pack.direct.length,
    hashtags: pack.hashtags.length,
  };
}
