import type { Stage } from '../rules/next-step.ts';
import { workTexts } from '../texts/work.ts';
import { Badge, type BadgeTone } from './Badge.tsx';

const tones: Readonly<Record<Stage['is'], BadgeTone>> = {
  writing: 'quiet',
  failed: 'bad',
  pending: 'wait',
  changes: 'wait',
  rejected: 'quiet',
  approved: 'good',
  scheduled: 'good',
  held: 'wait',
  sending: 'wait',
  due: 'wait',
  published: 'good',
  drafts: 'good',
  sendFailed: 'bad',
};

export function StageBadge({ stage }: { stage: Stage['is'] }) {
  return <Badge tone={tones[stage]}>{workTexts.posts.states[stage]}</Badge>;
}
