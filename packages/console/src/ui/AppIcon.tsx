import { ownOrigin } from '../api.ts';
import { initialOf } from '../rules/account-name.ts';
import type { App } from '../types.ts';

/** The icon of an app, or the first letter of its name. */
export function AppIcon({ app: { name, iconUrl } }: { app: Pick<App, 'name' | 'iconUrl'> }) {
  const frame = 'size-12 shrink-0 rounded-control';
  if (iconUrl) return <img src={ownOrigin(iconUrl)} alt="" className={`${frame} object-cover`} />;
  return (
    <span
      aria-hidden="true"
      className={`${frame} grid place-items-center bg-go-wash font-display text-xl font-bold text-go-ink`}
    >
      {initialOf(name)}
    </span>
  );
}
