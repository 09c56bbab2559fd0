import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Keys() {
  return <Screen name={texts.screens.keys}>{null}</Screen>;
}
