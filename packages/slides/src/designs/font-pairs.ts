import type { Design } from './design-system.ts';

/**
 * The pairs of typefaces that a brand chooses from: headings and running text. All under
 * the SIL Open Font License.
 */
export const fontPairs = {
  'bricolage-inter': { display: ['bricolage-grotesque', 800], text: ['inter', 600] },
  'anton-jakarta': { display: ['anton', 400], text: ['plus-jakarta-sans', 700] },
  'fraunces-newsreader': { display: ['fraunces', 700], text: ['newsreader', 500] },
  manrope: { display: ['manrope', 800], text: ['manrope', 600] },
  'space-grotesk-inter': { display: ['space-grotesk', 700], text: ['inter', 500] },
} as const satisfies Record<string, { display: readonly [string, number]; text: readonly [string, number] }>;

export type FontPair = keyof typeof fontPairs;

/** The CSS family under which a face of a design is registered. */
export function familyOf({ package: name, weight }: Design['display']): string {
  return `"Hookline ${name.split('/')[1]} ${weight}"`;
}

export function facesOf(pair: FontPair): Pick<Design, 'display' | 'text'> {
  const { display, text } = fontPairs[pair];
  const face = ([name, weight]: readonly [string, number]) => ({ package: `@fontsource/${name}`, weight });
  return { display: face(display), text: face(text) };
}

/** The same design with other typefaces; its sizes, colours and marks stay. */
export function withFonts(design: Design, pair: FontPair | undefined): Design {
  if (!pair) return design;
  const faces = facesOf(pair);
  return {
    ...design,
    ...faces,
    markFaces: [design.display, design.text],
    style: (role, kind) => {
      const style = design.style(role, kind);
      return { ...style, weight: faces[style.face].weight };
    },
  };
}
