import { type Design, edgeX, fillSlide, type Scene, slideHeight, slideWidth } from './design.ts';
import { fontPairs } from './font-pairs.ts';
import { contrastOf, hueOf, inkOn, mix, oklch, turn, withAlpha } from './palette.ts';

/** A background and an accent with a contrast of at least 4.5: the brand's, or made of the app's hue. */
export type Colors = readonly [ground: string, accent: string];

const dark = '#101216';
const white = '#ffffff';

/** The one that is more of a colour: a background is often nearly black or white. */
const vividOf = ([ground, accent]: Colors): string => (hueOf(ground).c > hueOf(accent).c ? ground : accent);

/** A flat field with type in the middle; the closing slide swaps the colours. */
function field([ground, accent]: Colors): Design {
  const fieldOf = (kind: string) => (kind === 'closing' ? accent : ground);
  return {
    name: 'field',
    face: fontPairs['bricolage-inter'],
    align: 'center',
    hookSize: 150,
    lineHeight: 1.12,
    ink: (role, kind) => ({
      color: role === 'lead' || role === 'number' ? accent : inkOn(fieldOf(kind)),
    }),
    isPlain: true,
    paintBackground: (ctx, kind) => fillSlide(ctx, fieldOf(kind)),
  };
}

/** Condensed capitals on a field with a slanted foot. */
function poster([ground, accent]: Colors): Design {
  return {
    name: 'poster',
    face: fontPairs['anton-jakarta'],
    align: 'start',
    uppercase: true,
    hookSize: 190,
    // Accents and cedillas of neighbouring lines of capitals do not touch.
    lineHeight: 1.32,
    ink: (role, kind) => ({
      color:
        kind === 'closing' ? inkOn(accent) : role === 'lead' || role === 'number' ? accent : inkOn(ground),
    }),
    isPlain: true,
    paintBackground: (ctx, kind) => {
      fillSlide(ctx, kind === 'closing' ? accent : ground);
      ctx.fillStyle = kind === 'closing' ? ground : accent;
      ctx.beginPath();
      ctx.moveTo(0, 1800);
      ctx.lineTo(slideWidth, 1640);
      ctx.lineTo(slideWidth, slideHeight);
      ctx.lineTo(0, slideHeight);
      ctx.fill();
    },
  };
}

/** Every line in a box, as the platform's own text tool sets it, over a gradient. */
function label(colors: Colors): Design {
  const vivid = vividOf(colors);
  const other = colors.find(color => color !== vivid) ?? dark;
  const head = contrastOf(white, other) >= 4.5 ? other : dark;
  return {
    name: 'label',
    face: fontPairs.manrope,
    align: 'center',
    hookSize: 130,
    lineHeight: 1.36,
    ink: role =>
      role === 'small' || role === 'large' ? { color: dark, box: white } : { color: white, box: head },
    paintBackground: ctx => {
      const gradient = ctx.createLinearGradient(0, 0, slideWidth, slideHeight);
      gradient.addColorStop(0, turn(vivid, -24));
      gradient.addColorStop(1, mix(white, turn(vivid, 24), 0.7));
      fillSlide(ctx, gradient);
    },
  };
}

/** Paper with a marker stroke under the last line of the hook. */
function note(colors: Colors): Design {
  const vivid = vividOf(colors);
  const isLight = contrastOf(dark, vivid) > 7;
  const [paper, marker] = [mix(white, vivid, isLight ? 0.2 : 0.1), isLight ? vivid : mix(white, vivid, 0.45)];
  return {
    name: 'note',
    face: fontPairs['fraunces-newsreader'],
    align: 'start',
    hookSize: 150,
    lineHeight: 1.18,
    ink: (_, kind) => ({ color: kind === 'closing' ? inkOn(vivid) : dark }),
    isPlain: true,
    paintBackground: (ctx, kind) => fillSlide(ctx, kind === 'closing' ? vivid : paper),
    paintBehind: scene => {
      const marked = scene.blocks.find(({ role }) => role === 'hook' || role === 'lead');
      if (marked) paintMarker(scene, marked, marker);
    },
  };
}

function paintMarker(
  scene: Scene,
  { baselines, widths, size }: Scene['blocks'][number],
  color: string,
): void {
  const { ctx } = scene;
  const y = baselines.at(-1)!;
  const width = widths.at(-1)! + 36;
  const x = edgeX(scene, width, -18);
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.moveTo(x, y - size * 0.3);
  ctx.lineTo(x + width, y - size * 0.36);
  ctx.lineTo(x + width + 8, y + size * 0.16);
  ctx.lineTo(x - 6, y + size * 0.22);
  ctx.fill();
}

/** Soft clouds of a colour and its neighbour under dark type. */
function mesh(colors: Colors): Design {
  const vivid = vividOf(colors);
  const light = (degrees: number, lightness = 0.84) => {
    const { c, h } = hueOf(vivid);
    return oklch(lightness, Math.min(c, 0.13), h + degrees);
  };
  const clouds = [
    [60, 200, 900, light(0)],
    [1040, 700, 860, light(50)],
    [60, 1500, 960, light(-50)],
    [1000, 1820, 900, light(0)],
  ] as const;
  return {
    name: 'mesh',
    face: fontPairs['space-grotesk-inter'],
    align: 'center',
    hookSize: 144,
    lineHeight: 1.14,
    ink: (_, kind) => ({ color: kind === 'closing' ? inkOn(vivid) : dark }),
    paintBackground: (ctx, kind) => {
      fillSlide(ctx, kind === 'closing' ? vivid : light(0, 0.93));
      if (kind === 'closing') return;
      for (const [x, y, radius, color] of clouds) {
        const cloud = ctx.createRadialGradient(x, y, 0, x, y, radius);
        cloud.addColorStop(0, withAlpha(color, 0.95));
        cloud.addColorStop(1, withAlpha(color, 0));
        ctx.fillStyle = cloud;
        // Beyond its radius a cloud is clear.
        ctx.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
      }
    },
  };
}

export const looks = { field, poster, label, note, mesh };
