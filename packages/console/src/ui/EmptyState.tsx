import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';

type Props = { icon?: IconName; title: string; children?: ReactNode; actions?: ReactNode };

/** Says why there is nothing and what makes something appear. */
export function EmptyState({ icon = 'check', title, children, actions }: Props) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-3 px-4 py-12 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-go-wash text-go-ink">
        <Icon name={icon} className="size-7" />
      </span>
      <h2 className="text-xl">{title}</h2>
      {children && <div className="grid gap-2 text-soft">{children}</div>}
      {actions && <div className="flex flex-wrap justify-center gap-3 pt-2">{actions}</div>}
    </div>
  );
}
