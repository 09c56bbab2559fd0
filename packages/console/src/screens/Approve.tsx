import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Approve() {
  return <Screen name={texts.screens.approve}>{null}</Screen>;
}
