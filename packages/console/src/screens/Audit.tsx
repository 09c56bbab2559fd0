import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Audit() {
  return <Screen name={texts.screens.audit}>{null}</Screen>;
}
