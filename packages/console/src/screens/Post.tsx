import { workTexts } from '../texts/work.ts';
import { Screen } from '../ui/Screen.tsx';

export function Post() {
  return <Screen name={workTexts.post.title}>{null}</Screen>;
}
