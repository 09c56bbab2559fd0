import { type ReactNode, Suspense, useState } from 'react';
import { readFlag, writeFlag } from '../flags.ts';
import { later } from '../later.ts';
import { texts } from '../texts/shell.ts';
import type { Content } from '../types.ts';
import { Icon } from './Icon.tsx';

const TikTokFrame = later(() => import('./TikTokFrame.tsx'), 'TikTokFrame');

/** What lies over `Slides`. */
export type Frame = { isOn: boolean; drawn: ReactNode };

/**
 * A deck as TikTok shows it, and the button for it. The browser keeps the choice, but for a client, who is given
 * the handle, the slides begin bare.
 */
export function useTikTokFrame(content: Content, handle?: string): Frame {
  const [isOn, setOn] = useState(() => handle === undefined && readFlag('tiktok-frame'));
  return {
    isOn,
    drawn: (
      <>
        {isOn && (
          <Suspense>
            <TikTokFrame content={content} handle={handle} />
          </Suspense>
        )}
        <div className="@container pointer-events-none absolute inset-x-2 top-4 flex justify-end">
          <button
            type="button"
            aria-label={texts.approve.asOnTikTok}
            aria-pressed={isOn}
            onClick={() => {
              writeFlag('tiktok-frame', !isOn);
              setOn(!isOn);
            }}
            className={`pointer-events-auto flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full px-3 text-sm font-semibold ${isOn ? 'bg-white text-black' : 'bg-black/45 text-white'}`}
          >
            <Icon name="zone" />
            <span className="@max-[14rem]:hidden">{texts.approve.asOnTikTok}</span>
          </button>
        </div>
      </>
    ),
  };
}
