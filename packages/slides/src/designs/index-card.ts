import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Design, edgeX, fillSlide, type Scene, type SlideKind, slideWidth } from './design-system.ts';
import { oklch, withAlpha } from './palette.ts';

const card = { y: 170, width: 936, height: 1330, radius: 44 };

/** The card surrounds the text box, which is mirrored for right-to-left scripts. */
const cardX = (isRtl: boolean) => (isRtl ? slideWidth - 44 - card.width : 44);

/** A ruled card on a field of colour; text sits on the rules, the hook does not. */
export function indexCard(hue: number, variant: number): Design {
  // Dark yellow is brown, so warm hues keep the light field.
  const isDark = variant === 1 && (hue < 35 || hue > 140);
  // Yellow needs more lightness and chroma than the others, or it looks khaki.
  const isYellow = hue > 60 && hue < 118;
  const field = isDark ? oklch(0.4, 0.11, hue) : isYellow ? oklch(0.87, 0.14, hue) : oklch(0.8, 0.1, hue);
  const ink = oklch(0.24, 0.04, hue);
  const rule = oklch(0.86, 0.045, hue);
  const head = oklch(0.56, 0.2, variant === 2 ? hue + 180 : 25);
  const paper = '#fffdf8';
  return {
    name: 'index-card',
    display: { package: '@fontsource/bricolage-grotesque', weight: 800 },
    text: { package: '@fontsource/inter', weight: 500 },
    align: 'start',
    area: kind =>
      kind === 'body'
        ? { top: 380, height: 1050, place: 'top' }
        : { top: 370, height: 1030, place: 'middle' },
    style: (role, kind) => ({
      face: role === 'detail' ? 'text' : 'display',
      weight: role === 'detail' ? 500 : 800,
      color: kind === 'closing' ? paper : ink,
      sizeMax: { hook: 158, lead: 122, detail: 90, statement: 116, closing: 108 }[role],
      sizeMin: 46,
      lineHeight: { hook: 1.06, lead: 1.12, detail: 1.5, statement: 1.36, closing: 1.18 }[role],
      gapAfter: role === 'lead' ? 24 : 0,
    }),
    paintBackground: (ctx, kind, isRtl) => {
      fillSlide(ctx, field);
      paintDots(ctx, withAlpha(isDark ? '#ffffff' : '#000000', 0.07));
      paintCard(ctx, kind === 'closing' ? ink : paper, kind, cardX(isRtl));
      ctx.fillStyle = head;
      ctx.fillRect(cardX(isRtl), 322, card.width, 6);
    },
    paintBehind: scene => {
      if (scene.kind === 'body') {
        paintRules(scene, rule);
        paintHead(scene, head);
      } else {
        scene.ctx.fillStyle = head;
        for (let i = 0; i < 3; i++) {
          scene.ctx.beginPath();
          scene.ctx.arc(edgeX(scene, 32, i * 56) + 16, 248, 16, 0, Math.PI * 2);
          scene.ctx.fill();
        }
      }
      if (scene.kind === 'cover') paintUnderline(scene, head);
    },
  };
}

function paintDots(ctx: SKRSContext2D, color: string): void {
  ctx.fillStyle = color;
  ctx.beginPath();
  for (let y = 1540; y < 1920; y += 48) {
    for (let x = 24; x < 1080; x += 48) {
      ctx.moveTo(x + 7, y);
      ctx.arc(x, y, 7, 0, Math.PI * 2);
    }
  }
  ctx.fill();
}

function paintCard(ctx: SKRSContext2D, color: string, kind: SlideKind, x: number): void {
  const layers = kind === 'cover' ? [16, 0] : [0];
  for (const offset of layers) {
    ctx.fillStyle = withAlpha('#000000', 0.14);
    ctx.beginPath();
    ctx.roundRect(x + 10 + offset, card.y + 16 + offset, card.width, card.height, card.radius);
    ctx.fill();
    ctx.fillStyle = color;
    ctx.beginPath();
    ctx.roundRect(x + offset, card.y + offset, card.width, card.height, card.radius);
    ctx.fill();
  }
}

/** Two strokes of a pen under the last line of the hook. */
function paintUnderline(scene: Scene, color: string): void {
  const block = scene.blocks.at(-1)!;
  const { ctx } = scene;
  const width = block.widths.at(-1)!;
  const x = edgeX(scene, width);
  const y = block.baselines.at(-1)! + block.size * 0.3;
  ctx.strokeStyle = color;
  ctx.lineWidth = 14;
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  ctx.beginPath();
  ctx.moveTo(x + 8, y + 10);
  ctx.quadraticCurveTo(x + width * 0.5, y - 22, x + width - 8, y);
  ctx.quadraticCurveTo(x + width * 0.6, y + 8, x + width * 0.3, y + 38);
  ctx.stroke();
}

/** Rules under every line of the detail, then down to the bottom of the card at the same distance. */
function paintRules(scene: Scene, color: string): void {
  const block = scene.blocks.at(-1)!;
  const step = block.size * block.lineHeight;
  scene.ctx.fillStyle = color;
  for (let y = block.baselines[0]! + block.size * 0.26; y < card.y + card.height - 40; y += step) {
    scene.ctx.fillRect(cardX(scene.isRtl), Math.round(y), card.width, 3);
  }
}

function paintHead(scene: Scene, color: string): void {
  const { ctx, mark } = scene;
  if (!mark) return;
  ctx.font = '800 72px "Hookline bricolage-grotesque 800"';
  ctx.fillStyle = color;
  ctx.textAlign = scene.isRtl ? 'right' : 'left';
  const label = mark.kind === 'item' ? `no. ${mark.number}` : `${mark.number} of ${mark.total}`;
  ctx.fillText(label, scene.startX, 282);
}
