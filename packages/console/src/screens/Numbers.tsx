import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Numbers() {
  return <Screen name={texts.screens.numbers}>{null}</Screen>;
}
