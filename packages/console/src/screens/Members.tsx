import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Members() {
  return <Screen name={texts.screens.members}>{null}</Screen>;
}
