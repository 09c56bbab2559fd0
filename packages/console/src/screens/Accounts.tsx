import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Accounts() {
  return <Screen name={texts.screens.accounts}>{null}</Screen>;
}
