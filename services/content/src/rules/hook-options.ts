/** Hooks that a content offers at most (D-47). */
const optionsMax = 5;

/**
 * The hooks to choose from after an edit of the hook: the chosen one first, the others behind it, none twice (D-47). Where
 * the hook was given and stood alone, the new one does.
 */
export function withChosenHook(options: readonly string[], hook: string): string[] {
  if (options.length === 1) return [hook];
  return [hook, ...options.filter(option => option !== hook)].slice(0, optionsMax);
}
