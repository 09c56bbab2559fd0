/** Maximum number of hooks that a content offers (D-47). */
const optionsMax = 5;

/**
 * The hooks to choose from after an edit of the hook: the chosen one first, then the others, without
 * duplicates (D-47). A single hook was given by the caller and is replaced by the new one.
 */
export function withChosenHook(options: readonly string[], hook: string): string[] {
  if (options.length === 1) return [hook];
  return [hook, ...options.filter(option => option !== hook)].slice(0, optionsMax);
}
