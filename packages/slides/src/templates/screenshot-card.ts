import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas';
import type { CreateCanvas } from '../canvas.ts';
import {
  type Design,
  drawMarkText,
  fillSlide,
  markLabel,
  paintRule,
  slideHeight,
  slideWidth,
} from '../designs/design-system.ts';
import { facesOf, familyOf } from '../designs/font-pairs.ts';
import { contrastOf, inkOn, mix, withAlpha } from '../designs/palette.ts';
import type { SlideLayout } from '../layout/lay-out-slide.ts';

const frame = { width: 640, radius: 92, bezel: 18, gap: 84 };
/** The phone begins no higher, and is left out when less of it would be seen. */
const frameTopMin = 620;
const frameSeenMin = 420;

/** Type at the top, room for a phone below it. */
export function screenshotCard([background, accent]: readonly [string, string]): Design {
  const faces = facesOf('bricolage-inter');
  const ink = inkOn(background);
  return {
    name: 'screenshot-card',
    ...faces,
    align: 'start',
    area: kind =>
      kind === 'cover'
        ? { top: 300, height: 1020, place: 'middle' }
        : { top: 320, height: 1100, place: 'top' },
    style: role => ({
      face: role === 'detail' ? 'text' : 'display',
      weight: faces[role === 'detail' ? 'text' : 'display'].weight,
      color: ink,
      sizeMax: { hook: 156, lead: 84, detail: 58, statement: 78, closing: 88 }[role],
      sizeMin: 46,
      lineHeight: { hook: 1.06, lead: 1.1, detail: 1.36, statement: 1.2, closing: 1.14 }[role],
      gapAfter: role === 'lead' ? 26 : 0,
    }),
    paintBackground: (ctx, kind) => {
      fillSlide(ctx, background);
      // A disc of the accent behind the phone, faint enough for text over it.
      const alpha = discAlpha(ink, background, accent, kind === 'cover' ? 0.1 : 0.14);
      ctx.fillStyle = withAlpha(accent, alpha);
      ctx.beginPath();
      ctx.arc(
        kind === 'cover' ? 980 : 540,
        kind === 'cover' ? 1900 : 1560,
        kind === 'cover' ? 620 : 640,
        0,
        Math.PI * 2,
      );
      ctx.fill();
    },
    paintBehind: scene => {
      const { mark, top } = scene;
      if (!mark) paintRule(scene, accent, 76);
      else drawMarkText(scene, markLabel(mark), `64px ${familyOf(faces.display)}`, accent, top - 48);
    },
  };
}

/** More than 4.5, because JPEG changes pixels a little. */
const contrastMin = 4.6;

/** The strongest disc, in steps of 0.02 up to `most`, under which the ink is readable; 0 for a mid-tone. */
function discAlpha(ink: string, background: string, accent: string, most: number): number {
  let alpha = most;
  while (alpha > 0 && contrastOf(ink, mix(background, accent, alpha)) < contrastMin) alpha -= 0.02;
  return Math.max(0, alpha);
}

/** A screenshot as a slide shows it, in px. A wide one is shown as a card, without a phone. */
export type Screen = { picture: Canvas; height: number; isTall: boolean };

/** Rows of a phone that a slide can show. */
const seenMax = slideHeight - frameTopMin;

/** Scales a screenshot to its place; rows that no slide shows are left out. */
export function scaleScreen(screenshot: Image, createCanvas: CreateCanvas): Screen {
  const isTall = screenshot.height >= screenshot.width;
  const width = isTall ? frame.width - 2 * frame.bezel : 912;
  const height = (width / screenshot.width) * screenshot.height;
  const picture = createCanvas(width, Math.ceil(Math.min(height, seenMax)));
  const ctx = picture.getContext('2d');
  // Drawn at half its size or less.
  ctx.imageSmoothingQuality = 'medium';
  ctx.drawImage(screenshot, 0, 0, width, height);
  return { picture, height, isTall };
}

/** The phone, or the card, and its shadow: as wide as a slide, with `shadowRoom` px above it. */
export type Frame = { height: number; isTall: boolean; picture: Canvas };

const shadowRoom = 150;

/** Draws what the screenshots of one size share: the blur of the shadow takes longer than all the rest. */
export function drawFrame({ height, isTall, picture }: Screen, createCanvas: CreateCanvas): Frame {
  const canvas = createCanvas(slideWidth, shadowRoom + seenMax);
  const ctx = canvas.getContext('2d');
  const bezel = isTall ? frame.bezel : 0;
  const width = picture.width + 2 * bezel;
  ctx.shadowColor = 'rgb(0 0 0 / 0.38)';
  ctx.shadowBlur = 70;
  ctx.shadowOffsetY = 26;
  ctx.fillStyle = '#0c0d10';
  ctx.beginPath();
  ctx.roundRect((slideWidth - width) / 2, shadowRoom, width, height + 2 * bezel, isTall ? frame.radius : 36);
  ctx.fill();
  return { height, isTall, picture: canvas };
}

/**
 * A phone with the screenshot below the text; it runs off the bottom.
 * @param room px to leave free below the text
 */
export function paintDevice(
  ctx: SKRSContext2D,
  { picture, height, isTall }: Screen,
  shared: Frame,
  layout: SlideLayout,
  room: number,
): void {
  const top = Math.round(Math.max(frameTopMin, layout.top + layout.height + frame.gap + room));
  if (slideHeight - top < frameSeenMin) return;
  const bezel = isTall ? frame.bezel : 0;
  const radius = isTall ? frame.radius : 36;
  const x = (slideWidth - picture.width) / 2;
  ctx.drawImage(shared.picture, 0, top - shadowRoom);
  ctx.save();
  ctx.beginPath();
  ctx.roundRect(x, top + bezel, picture.width, height, Math.max(0, radius - bezel));
  ctx.clip();
  ctx.drawImage(picture, x, top + bezel);
  ctx.restore();
  if (!isTall) return;
  // The edge of the glass catches light.
  ctx.strokeStyle = 'rgb(255 255 255 / 0.16)';
  ctx.lineWidth = 3;
  ctx.beginPath();
  ctx.roundRect(x - bezel + 2, top + 2, frame.width - 4, height + 2 * bezel - 4, radius - 2);
  ctx.stroke();
}
