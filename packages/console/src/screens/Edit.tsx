import { workTexts } from '../texts/work.ts';
import { Screen } from '../ui/Screen.tsx';

export function Edit() {
  return <Screen name={workTexts.edit.title}>{null}</Screen>;
}
