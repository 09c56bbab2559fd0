import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Apps() {
  return <Screen name={texts.screens.apps}>{null}</Screen>;
}
