import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Webhooks() {
  return <Screen name={texts.screens.webhooks}>{null}</Screen>;
}
