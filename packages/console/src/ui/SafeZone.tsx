import { type Margins, safeZones, share } from '../rules/safe-zone.ts';
import { texts } from '../texts/shell.ts';

/** What TikTok's own controls cover: hatched where always, tinted where on some phones. */
export function SafeZone() {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0">
      <Frame margins={safeZones.caution} className="bg-black/25" />
      <Frame margins={safeZones.blocked} className="hatch" />
      <p className="absolute inset-x-0 bottom-[6%] text-center text-xs font-semibold text-white">
        {texts.approve.covered}
      </p>
    </div>
  );
}

function Frame({ margins: { top, bottom, end }, className }: { margins: Margins; className: string }) {
  return (
    <>
      <span className={`absolute inset-x-0 top-0 ${className}`} style={{ height: share(top, 'height') }} />
      <span
        className={`absolute inset-x-0 bottom-0 ${className}`}
        style={{ height: share(bottom, 'height') }}
      />
      <span
        className={`absolute end-0 ${className}`}
        style={{ width: share(end, 'width'), top: '45%', bottom: share(bottom, 'height') }}
      />
    </>
  );
}
