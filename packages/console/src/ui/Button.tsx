import type { ComponentProps, ReactNode } from 'react';

export type Tone = 'primary' | 'go' | 'float' | 'plain' | 'quiet';

const tones: Readonly<Record<Tone, string>> = {
  primary: 'bg-primary text-on-primary border-primary hover:opacity-90',
  go: 'bg-go text-on-go border-go hover:opacity-90',
  float: 'bg-float text-on-float border-float hover:opacity-90',
  plain: 'bg-sheet text-ink border-edge/60 hover:bg-well',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-well',
};

type Props = ComponentProps<'button'> & {
  tone?: Tone;
  size?: 'normal' | 'small' | 'large';
  /** Long work is on its way: the button is disabled and says so. */
  busy?: boolean;
  icon?: ReactNode;
};

const sizes = {
  small: 'min-h-9 px-3 text-sm pointer-coarse:min-h-11 pointer-coarse:min-w-11',
  normal: 'min-h-11 min-w-11 px-4 text-base',
  large: 'min-h-14 px-3 text-base',
} as const;

export function Button({
  tone = 'plain',
  size = 'normal',
  busy = false,
  icon,
  className = '',
  children,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={`inline-flex items-center justify-center gap-2 whitespace-nowrap rounded-control border font-semibold transition-colors disabled:cursor-not-allowed disabled:opacity-55 ${sizes[size]} ${tones[tone]} ${className}`}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

export function Spinner() {
  return (
    <svg aria-hidden="true" viewBox="0 0 20 20" className="turn size-4 shrink-0">
      <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="3" opacity="0.25" />
      <path d="M10 2a8 8 0 0 1 8 8" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
