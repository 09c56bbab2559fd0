/**
 * WCAG contrast ratio of two opaque colours, 1 to 21. The first call loads the colour library: 150 modules.
 */
export async function contrastOf(one: string, other: string): Promise<number> {
  const palette = await import('./designs/palette.ts');
  return palette.contrastOf(one, other);
}
