import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Usage() {
  return <Screen name={texts.screens.usage}>{null}</Screen>;
}
