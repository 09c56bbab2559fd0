import type { BrandBody } from '@hookline/shared/contracts/apps';
import type { Brand } from '../records/app.ts';

const none: Brand = {
  colors: null,
  logoImageId: null,
  handle: null,
  fonts: null,
  voice: null,
  avoidWords: null,
};

/** Fields that are not given keep their value; null clears one, or the whole brand. */
export function mergeBrand(before: Brand | null, given: BrandBody | null): Brand | null {
  if (given === null) return null;
  const merged = { ...none, ...before, ...given } as Brand;
  const colors = merged.colors?.map(color => color.toLowerCase()) as Brand['colors'] | undefined;
  return { ...merged, colors: colors ?? null };
}
