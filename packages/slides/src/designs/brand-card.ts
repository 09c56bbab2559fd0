import {
  type Design,
  drawMarkText,
  fillSlide,
  markLabel,
  paintNumberTile,
  paintRule,
} from './design-system.ts';
import { facesOf, familyOf } from './font-pairs.ts';
import { inkOn } from './palette.ts';

/**
 * A flat field in the brand's background, its accent for rules and numbers; the closing slide swaps them. The
 * two colours have a contrast of at least 4.5.
 */
export function brandCard([background, accent]: readonly [string, string]): Design {
  const faces = facesOf('bricolage-inter');
  const fieldOf = (kind: string) => (kind === 'closing' ? accent : background);
  return {
    name: 'brand-card',
    ...faces,
    align: 'start',
    area: kind =>
      kind === 'body'
        ? { top: 450, height: 970, place: 'shared' }
        : { top: 300, height: 1020, place: 'middle' },
    style: (role, kind) => ({
      face: role === 'detail' ? 'text' : 'display',
      weight: faces[role === 'detail' ? 'text' : 'display'].weight,
      color: role === 'lead' ? accent : inkOn(fieldOf(kind)),
      sizeMax: { hook: 164, lead: 116, detail: 88, statement: 116, closing: 112 }[role],
      sizeMin: 46,
      lineHeight: { hook: 1.08, lead: 1.12, detail: 1.4, statement: 1.26, closing: 1.2 }[role],
      gapAfter: role === 'lead' ? 40 : 0,
    }),
    isPlain: true,
    paintBackground: (ctx, kind) => {
      fillSlide(ctx, fieldOf(kind));
      ctx.fillStyle = kind === 'closing' ? background : accent;
      ctx.fillRect(0, 1884, 1080, 36);
    },
    paintBehind: scene => {
      const { kind, mark, top } = scene;
      const color = kind === 'closing' ? background : accent;
      if (!mark) paintRule(scene, color, 90);
      else if (mark.kind === 'page') {
        drawMarkText(scene, markLabel(mark), `52px ${familyOf(faces.text)}`, color, top - 80);
      } else {
        const font = `80px ${familyOf(faces.display)}`;
        paintNumberTile(scene, mark.number, color, {
          side: 144,
          radius: 36,
          above: 210,
          font,
          baseline: 110,
        });
      }
    },
  };
}
