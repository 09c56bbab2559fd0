import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Automations() {
  return <Screen name={texts.screens.automations}>{null}</Screen>;
}
