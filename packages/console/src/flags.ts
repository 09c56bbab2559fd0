/** What the browser keeps. A private window may refuse storage: it then holds until the page is left. */
type Place = 'localStorage' | 'sessionStorage';

export function readChoice(name: string, place: Place = 'localStorage'): string | null {
  try {
    return globalThis[place].getItem(`hookline.${name}`);
  } catch {
    return null;
  }
}

/** @param choice null forgets it */
export function writeChoice(name: string, choice: string | null, place: Place = 'localStorage'): void {
  try {
    if (choice === null) globalThis[place].removeItem(`hookline.${name}`);
    else globalThis[place].setItem(`hookline.${name}`, choice);
  } catch {}
}

/** @returns null also for what is no JSON */
export function readJson<T>(name: string, place?: Place): T | null {
  try {
    return JSON.parse(readChoice(name, place) ?? 'null');
  } catch {
    return null;
  }
}

export const readFlag = (name: string) => readChoice(name) === 'yes';
export const writeFlag = (name: string, isOn: boolean) => writeChoice(name, isOn ? 'yes' : 'no');
