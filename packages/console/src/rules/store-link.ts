/** A first guess at the name of an app, from the words of its store link; empty without any. */
export function nameFromLink(link: string): string {
  const words = /apps\.apple\.com\/(?:[a-z]{2}\/)?app\/([^/?#]+)\/id\d+/i.exec(link)?.[1];
  const packageName = /play\.google\.com\/store\/apps\/details\?(?:.*&)?id=([\w.]+)/i.exec(link)?.[1];
  const found = words ?? packageName?.split('.').at(-1) ?? '';
  return decode(found)
    .split(/[-_]/)
    .filter(Boolean)
    .map(word => word[0]?.toUpperCase() + word.slice(1))
    .join(' ');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
