/** The text with its first letter capitalised, except of names like "iCloud". */
export function upperFirst(text: string): string {
  return /^\p{Ll}\p{Lu}/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
