import { type ReactNode, Suspense, useState } from 'react';
import { readFlag, writeFlag } from '../flags.ts';
import { later } from '../later.ts';
import { texts } from '../texts/shell.ts';
import type { Content } from '../types.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

const TikTokFrame = later(() => import('./TikTokFrame.tsx'), 'TikTokFrame');

/**
 * A deck as TikTok shows it: `frame` is for its `Slides`, `toggle` the button. The browser keeps the choice. With a
 * handle it begins so, and reads nothing.
 */
export function useTikTokFrame(content: Content, handle?: string): { frame: ReactNode; toggle: ReactNode } {
  const [isOn, setOn] = useState(() => handle !== undefined || readFlag('tiktok-frame'));
  return {
    frame: isOn && (
      <Suspense>
        <TikTokFrame content={content} handle={handle} />
      </Suspense>
    ),
    toggle: (
      <Button
        size="small"
        aria-pressed={isOn}
        className={`justify-self-start ${isOn ? '!border-primary !bg-primary !text-on-primary' : ''}`}
        onClick={() => {
          writeFlag('tiktok-frame', !isOn);
          setOn(!isOn);
        }}
        icon={<Icon name="zone" />}
      >
        {texts.approve.asOnTikTok}
      </Button>
    ),
  };
}
