import { workTexts } from '../texts/work.ts';
import { Screen } from '../ui/Screen.tsx';

export function Schedule() {
  return <Screen name={workTexts.schedule.title}>{null}</Screen>;
}
