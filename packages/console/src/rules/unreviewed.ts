import type { App } from '../types.ts';

type Item = NonNullable<App['unreviewed']>[number]['item'];

/** What an item of an app says now, as text; empty where it was cleared. */
export function currentText({ name, details, brand }: App, item: Item): string {
  if (item === 'name') return name;
  if (item === 'listing') return details;
  const value = brand?.[item.replace('brand.', '') as keyof NonNullable<App['brand']>];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}
