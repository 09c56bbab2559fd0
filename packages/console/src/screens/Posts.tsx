import { texts } from '../texts/shell.ts';
import { Screen } from '../ui/Screen.tsx';

export function Posts() {
  return <Screen name={texts.screens.posts}>{null}</Screen>;
}
