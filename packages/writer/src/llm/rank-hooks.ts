import { countShared } from './traceable.ts';

// Hooks that people share have 4 to 11 words and 24 to 60 characters.
const wordsIdeal = [4, 11] as const;
const charactersIdeal = [24, 60] as const;

/**
 * Best first: about the topic or the listing, of a good length, not the topic pasted whole. Equal hooks keep
 * the model's order.
 * @param subject the topic, or without one the listing's lines
 */
export function rankHooks(hooks: readonly string[], subject: string, topic: string | undefined): string[] {
  const score = (hook: string): number => {
    const words = hook.split(/\s+/).length;
    const isPasted = topic !== undefined && hook.toLowerCase().includes(topic.toLowerCase());
    return (
      Math.min(2, countShared(hook, subject)) * 2 +
      (words >= wordsIdeal[0] && words <= wordsIdeal[1] ? 1 : 0) +
      (hook.length >= charactersIdeal[0] && hook.length <= charactersIdeal[1] ? 1 : 0) -
      (isPasted && topic.split(/\s+/).length >= 3 ? 2 : 0)
    );
  };
  return hooks
    .map((hook, i) => ({ hook, i, score: score(hook) }))
    .sort((one, other) => other.score - one.score || one.i - other.i)
    .map(({ hook }) => hook);
}
