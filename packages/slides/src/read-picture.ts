import { slideHeight, slideWidth } from './designs/slide-size.ts';
import { withPhoto } from './photo-strips.ts';
import { withRenderSlot } from './render-slots.ts';
import { loadSharp } from './sharp.ts';

/** Largest file, and largest picture, that is read. */
export const pictureBytesMax = 10_000_000;
const picturePixelsMax = 40_000_000;

/**
 * What is kept fills a slide; of a picture of another shape, as much more as that needs, up to two slides.
 * More pixels would be decoded with every deck and never seen.
 */
const keptWidth = 2160;
const keptHeight = 3840;

/** As long as drawing two decks: at most 24 pictures wait. */
const slotWeight = 3;
const decodeSeconds = 8;

export type Picture = {
  bytes: Buffer;
  width: number;
  height: number;
  contentType: 'image/jpeg' | 'image/png';
};

/**
 * `format`: neither JPEG, PNG nor WebP. `too_large`: of too many bytes or pixels.
 * `broken`: cannot be decoded.
 */
export class PictureError extends Error {
  override name = 'PictureError';
  readonly reason: 'format' | 'too_large' | 'broken';
  constructor(reason: PictureError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Decodes a picture and encodes it again: upright, without metadata or anything that was behind its end, as
 * sRGB, at most 2160 x 3840 px. Opaque pictures become JPEG, with their photo behind its end, others PNG. Its
 * content decides what it is, never its name. A slide is 1080 x 1920 px and JPEG: nothing is cut off, and what it leaves free is black.
 * `owner` is the account whose turn it takes.
 * @throws PictureError; RenderBusyError when too many are being read
 */
export async function readPicture(owner: string, given: Buffer, { isSlide = false } = {}): Promise<Picture> {
  if (given.length > pictureBytesMax) throw tooLarge(`${given.length} bytes`);
  if (formatOf(given) === null) throw new PictureError('format', 'must be a JPEG, PNG or WebP picture');
  return await withRenderSlot(owner, slotWeight, () => decode(given, isSlide));
}

async function decode(given: Buffer, isSlide: boolean): Promise<Picture> {
  const sharp = await loadSharp();
  const open = () => sharp(given, { limitInputPixels: picturePixelsMax, failOn: 'error' });
  // The header is read first: a small file can unpack to gigabytes.
  const { width, height, hasAlpha, autoOrient, chromaSubsampling } = await open()
    .metadata()
    .catch((error: Error) => {
      throw /pixel limit/i.test(error.message) ? tooLarge('too many pixels') : broken();
    });
  if (width * height > picturePixelsMax) throw tooLarge(`${width} x ${height} px`);
  // A slide has 4:2:0. The lines of a drawn screenshot keep their colour until then; a photo never had more, and is
  // decoded the faster the fewer bits it has.
  const isPhoto = chromaSubsampling?.startsWith('4:2:0') === true;
  const [subsampling, quality] = isPhoto ? ['4:2:0', 82] : ['4:4:4', 90];
  try {
    const resized = open()
      .timeout({ seconds: decodeSeconds })
      .autoOrient()
      .resize(
        isSlide
          ? { width: slideWidth, height: slideHeight, fit: 'contain', background: 'black' }
          : { ...keptBox(autoOrient), fit: 'inside', withoutEnlargement: true },
      );
    const isOpaque = isSlide || !hasAlpha || (await open().stats()).isOpaque;
    const encoded = isOpaque
      ? resized.flatten().jpeg({ quality, chromaSubsampling: subsampling, optimiseCoding: false })
      : resized.png({ compressionLevel: 7 });
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    const bytes = isOpaque && !isSlide ? await withPhoto(data) : data;
    if (bytes.length > pictureBytesMax) throw tooLarge(`${bytes.length} bytes after it was encoded again`);
    const contentType = isOpaque ? 'image/jpeg' : 'image/png';
    return { bytes, width: info.width, height: info.height, contentType };
  } catch (error) {
    throw error instanceof PictureError ? error : broken();
  }
}

/** The box that a picture is scaled down to. */
function keptBox(of: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, Math.max(slideWidth / of.width, slideHeight / of.height));
  return {
    width: Math.min(keptWidth, Math.ceil(of.width * scale)),
    height: Math.min(keptHeight, Math.ceil(of.height * scale)),
  };
}

/** By the first bytes. A file that is also something else is re-encoded, so only its picture stays. */
function formatOf(bytes: Buffer): 'jpeg' | 'png' | 'webp' | null {
  if (bytes.length < 16) return null;
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg';
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png';
  const text = bytes.toString('latin1', 0, 12);
  return text.startsWith('RIFF') && text.endsWith('WEBP') ? 'webp' : null;
}

function tooLarge(measured: string): PictureError {
  return new PictureError('too_large', `must have at most 10 MB and 40 megapixels; this one has ${measured}`);
}

function broken(): PictureError {
  return new PictureError('broken', 'must be a picture that can be decoded; this one is damaged');
}
