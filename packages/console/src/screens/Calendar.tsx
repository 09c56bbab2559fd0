import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Calendar() {
  return <Screen name={texts.screens.calendar}>{null}</Screen>;
}
