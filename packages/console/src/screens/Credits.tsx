import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Credits() {
  return <Screen name={texts.screens.credits}>{null}</Screen>;
}
