/** Choices of this browser. Private windows may refuse storage. */
export function readChoice(name: string): string | null {
  try {
    return localStorage.getItem(`hookline.${name}`);
  } catch {
    return null;
  }
}

export function writeChoice(name: string, choice: string): void {
  try {
    localStorage.setItem(`hookline.${name}`, choice);
  } catch {
    // It then holds until the page is left.
  }
}

export const readFlag = (name: string) => readChoice(name) === 'yes';
export const writeFlag = (name: string, isOn: boolean) => writeChoice(name, isOn ? 'yes' : 'no');
