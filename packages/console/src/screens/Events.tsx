import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Events() {
  return <Screen name={texts.screens.events}>{null}</Screen>;
}
