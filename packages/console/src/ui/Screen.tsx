import { type ReactNode, useEffect, useRef } from 'react';
import { texts } from '../texts/shell.ts';

type Props = {
  /** The name of the screen, its `h1` and the title of the page. */
  name: string;
  children: ReactNode;
  lead?: ReactNode;
  /** The way back, above the heading. */
  above?: ReactNode;
  /** Before the heading. */
  icon?: ReactNode;
  /** Beside the heading. */
  actions?: ReactNode;
  /** Fills the width; default is a column to read in. */
  isWide?: boolean;
};

/** The frame of every screen. The layout's `main` holds exactly one. */
export function Screen({ name, children, lead, above, icon, actions, isWide = false }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${name} · ${texts.product}`;
  }, [name]);
  return (
    <div
      className={`mx-auto grid w-full grid-cols-[minmax(0,1fr)] gap-5 px-4 py-5 sm:px-6 lg:px-10 lg:py-8 ${isWide ? 'max-w-7xl' : 'max-w-4xl'}`}
    >
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="grid gap-1 sm:flex-1">
          {above}
          <div className="flex items-center gap-3">
            {icon}
            <h1 ref={heading} tabIndex={-1} dir="auto" className="text-2xl leading-tight">
              {name}
            </h1>
          </div>
          {lead && <div className="text-soft">{lead}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** A surface for one thing. */
export function Card({
  children,
  className = '',
  title,
}: {
  children: ReactNode;
  className?: string;
  title?: string;
}) {
  return (
    <section
      className={`grid grid-cols-[minmax(0,1fr)] content-start gap-3 rounded-card border border-line bg-sheet p-4 sm:p-5 ${className}`}
    >
      {title && <h2 className="text-lg">{title}</h2>}
      {children}
    </section>
  );
}
