/** Choices of this browser. Private windows may refuse storage. */
export function readFlag(name: string): boolean {
  try {
    return localStorage.getItem(`hookline.${name}`) === 'yes';
  } catch {
    return false;
  }
}

export function writeFlag(name: string, isOn: boolean): void {
  try {
    localStorage.setItem(`hookline.${name}`, isOn ? 'yes' : 'no');
  } catch {
    // It then holds until the page is left.
  }
}
