import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Settings() {
  return <Screen name={texts.screens.settings}>{null}</Screen>;
}
