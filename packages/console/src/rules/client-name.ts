/** "Chrome on Android" of a User-Agent, as far as its words tell; another text as it is. */
export function clientName(client: string | null): string | null {
  if (client === null) return null;
  const named = (pairs: readonly (readonly [RegExp, string])[]) =>
    pairs.find(([word]) => word.test(client))?.[1];
  const browser = named([
    [/Edg\//, 'Edge'],
    [/Firefox\//, 'Firefox'],
    [/Chrome\//, 'Chrome'],
    [/Safari\//, 'Safari'],
  ]);
  const system = named([
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Mac OS X/, 'macOS'],
    [/Windows/, 'Windows'],
    [/Linux/, 'Linux'],
  ]);
  return browser && system ? `${browser} on ${system}` : client.slice(0, 80);
}
