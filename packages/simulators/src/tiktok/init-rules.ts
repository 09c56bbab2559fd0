export type PostMode = 'DIRECT_POST' | 'MEDIA_UPLOAD';

/** The fields of an accepted PHOTO init, with defaults filled in. */
export type PhotoInit = {
  mode: PostMode;
  title: string;
  description: string;
  privacyLevel: string | null;
  disableComment: boolean;
  autoAddMusic: boolean;
  brandContent: boolean;
  brandOrganic: boolean;
  isAigc: boolean;
  coverIndex: number;
  imageUrls: string[];
};

type Fields = Record<string, unknown>;

const titleUnitsMax = 90;
const descriptionUnitsMax = 4000;
const photosMax = 35;

/**
 * Checks JSON, required fields, types, enums, lengths, count and cover index. Returns the init, or the text
 * of the `invalid_param` refusal. Privacy levels are not checked here: a missing or unknown one has a
 * different code.
 */
export function readPhotoInit(body: unknown): PhotoInit | string {
  const root = objectFrom(body);
  if (root === null) return 'The request body must be a JSON object.';
  const post = root.post_info === undefined ? {} : fieldsOf(root.post_info);
  const source = fieldsOf(root.source_info);
  if (post === null) return 'post_info must be an object.';
  if (source === null) return 'source_info is required.';
  return (
    rootProblem(root) ??
    postProblem(post) ??
    sourceProblem(source) ??
    brandProblem(root, post) ??
    photoInit(root, post, source)
  );
}

/** The post mode of a body if it can be read: the required scope depends on it. */
export function modeOf(body: unknown): PostMode | null {
  const mode = objectFrom(body)?.post_mode;
  return mode === 'DIRECT_POST' || mode === 'MEDIA_UPLOAD' ? mode : null;
}

/** A string field of a JSON body, or null. */
export function stringField(body: unknown, name: string): string | null {
  const value = objectFrom(body)?.[name];
  return typeof value === 'string' ? value : null;
}

function rootProblem(root: Fields): string | null {
  if (root.media_type !== 'PHOTO') return 'media_type must be PHOTO.';
  if (root.post_mode !== 'DIRECT_POST' && root.post_mode !== 'MEDIA_UPLOAD') {
    return 'post_mode must be DIRECT_POST or MEDIA_UPLOAD.';
  }
  return booleanProblem(root, ['is_aigc']);
}

function postProblem(post: Fields): string | null {
  return (
    textProblem(post, 'title', titleUnitsMax) ??
    textProblem(post, 'description', descriptionUnitsMax) ??
    (post.privacy_level !== undefined && typeof post.privacy_level !== 'string'
      ? 'privacy_level must be a string.'
      : null) ??
    booleanProblem(post, [
      'disable_comment',
      'auto_add_music',
      'brand_content_toggle',
      'brand_organic_toggle',
    ])
  );
}

// The guidelines forbid private branded content; how the API refuses it is not documented.
function brandProblem(root: Fields, post: Fields): string | null {
  const isPrivate = root.post_mode === 'DIRECT_POST' && post.privacy_level === 'SELF_ONLY';
  return isPrivate && post.brand_content_toggle === true ? 'Branded content must not be SELF_ONLY.' : null;
}

function sourceProblem(source: Fields): string | null {
  if (source.source !== 'PULL_FROM_URL') return 'source must be PULL_FROM_URL.';
  const urls = source.photo_images;
  if (!Array.isArray(urls) || urls.length < 1 || urls.length > photosMax) {
    return `photo_images must be a list of 1 to ${photosMax} URLs.`;
  }
  if (!urls.every(url => typeof url === 'string' && isHttpUrl(url)))
    return 'photo_images must hold valid URLs.';
  const cover = source.photo_cover_index;
  const isCover = typeof cover === 'number' && Number.isInteger(cover) && cover >= 0 && cover < urls.length;
  return isCover ? null : 'photo_cover_index must be the 0-based index of a photo.';
}

// A draft uses only title and description; its other post_info fields are for the creator to choose.
function photoInit(root: Fields, post: Fields, source: Fields): PhotoInit {
  const mode = root.post_mode as PostMode;
  const chosen = mode === 'DIRECT_POST' ? post : {};
  return {
    mode,
    title: (post.title ?? '') as string,
    description: (post.description ?? '') as string,
    privacyLevel: (chosen.privacy_level ?? null) as string | null,
    disableComment: chosen.disable_comment === true,
    autoAddMusic: chosen.auto_add_music === true,
    brandContent: chosen.brand_content_toggle === true,
    brandOrganic: chosen.brand_organic_toggle === true,
    isAigc: root.is_aigc === true,
    coverIndex: source.photo_cover_index as number,
    imageUrls: source.photo_images as string[],
  };
}

// The limits are in UTF-16 units, which is what `length` counts.
function textProblem(fields: Fields, name: string, unitsMax: number): string | null {
  const value = fields[name];
  if (value === undefined) return null;
  if (typeof value === 'string' && value.length <= unitsMax) return null;
  return `${name} must be a string of at most ${unitsMax} UTF-16 units.`;
}

function booleanProblem(fields: Fields, names: string[]): string | null {
  const wrong = names.find(name => fields[name] !== undefined && typeof fields[name] !== 'boolean');
  return wrong === undefined ? null : `${wrong} must be true or false.`;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

export function objectFrom(body: unknown): Fields | null {
  if (typeof body !== 'string') return null;
  try {
    return fieldsOf(JSON.parse(body));
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}
