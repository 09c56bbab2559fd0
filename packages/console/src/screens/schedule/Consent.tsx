import { workTexts } from '../../texts/work.ts';

const words = workTexts.schedule;
const music = 'https://www.tiktok.com/legal/page/global/music-usage-confirmation/en';
const branded = 'https://www.tiktok.com/legal/page/global/bc-policy/en';

/** What TikTok wants said above the button of a direct post. */
export function Consent({ isBranded }: { isBranded: boolean }) {
  const link = 'underline underline-offset-2';
  return (
    <>
      {words.consentPrefix}
      {isBranded && (
        <>
          <a className={link} href={branded} target="_blank" rel="noreferrer">
            {words.consentBranded}
          </a>
          {words.consentAnd}
        </>
      )}
      <a className={link} href={music} target="_blank" rel="noreferrer">
        {words.consentMusic}
      </a>
      .
    </>
  );
}
