/** Icons of 20 px, drawn with strokes of 1.75. Always beside a text or in a control with a name. */
const paths = {
  approve: 'M4 10.5 8 14.5 16 6',
  check: 'M4 10.5 8 14.5 16 6',
  cross: 'M5 5 15 15M15 5 5 15',
  edit: 'M3.5 16.5 4.4 13 13 4.4a1.4 1.4 0 0 1 2 0l.6.6a1.4 1.4 0 0 1 0 2L7 15.6zM11.5 6l2.5 2.5',
  calendar: 'M3.5 5.5h13v11h-13zM3.5 8.7h13M7 3.5v3M13 3.5v3',
  posts: 'M4.5 3.5h8v11h-8zM15.5 6v10.5H7.5',
  automations:
    'M16 8.2A6.3 6.3 0 0 0 4.6 6.6M4 11.8a6.3 6.3 0 0 0 11.4 1.6M4.5 3.2v3.6h3.6M15.5 16.8v-3.6h-3.6',
  apps: 'M3.8 3.8h5v5h-5zM11.2 3.8h5v5h-5zM3.8 11.2h5v5h-5zM11.2 11.2h5v5h-5z',
  accounts: 'M10 9.7a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 16.8c.5-3 2.9-4.6 6-4.6s5.5 1.6 6 4.6',
  webhooks:
    'M7.2 9.7 9.8 5.400M10.6 6.1 13 10.400M6.8 13.400h6M10 4.500a1.6 1.6 0 1 0 .1 0M5.2 15a1.6 1.6 0 1 0 .1 0M14.8 15a1.6 1.6 0 1 0 .1 0',
  events: 'M3 10.500h3l2-6 3.5 11 2-5H17',
  keys: 'M7 13.500a3.2 3.2 0 1 0-.1 0zM9.4 8.7 16.5 4M13.2 6.200l1.8 2.6',
  credits:
    'M10 16.800a6.8 6.8 0 1 0 0-13.6 6.8 6.8 0 0 0 0 13.600zM12 7.800c-.5-.8-3.8-1.2-3.8.7 0 2 3.9.9 3.9 2.9 0 1.9-3.6 1.6-4.2.4M10 6v1M10 13v1',
  usage: 'M3.5 14a6.8 6.8 0 1 1 13 0M10 12.500l3-4.5',
  numbers: 'M4 16.500v-5M8 16.500v-9M12 16.500v-6.500M16 16.500v-12',
  members:
    'M7.5 9.500a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.200zM2.8 15.800c.4-2.6 2.3-4 4.7-4s4.3 1.4 4.7 4M12.8 4.600a2.4 2.4 0 0 1 0 4.700M14.3 12c1.6.5 2.7 1.8 3 3.8',
  audit: 'M5 3.500h10v13H5zM7.5 7h5M7.5 10h5M7.5 13h3',
  settings:
    'M3.5 6h7M14.5 6h2M3.5 14h2M9.5 14h7M12.5 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7.5 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  menu: 'M3.5 5.500h13M3.5 10h13M3.5 14.500h13',
  copy: 'M7 7h9v9.500H7zM4 13V3.500h9',
  undo: 'M4.5 8h7a4 4 0 0 1 0 8H8M4.5 8l3-3M4.5 8l3 3',
  schedule: 'M10 16.800a6.8 6.8 0 1 0 0-13.6 6.8 6.8 0 0 0 0 13.600zM10 6.200V10l2.7 1.7',
  back: 'M12.5 4.5 7 10l5.5 5.5',
  forward: 'M7.5 4.5 13 10l-5.5 5.5',
  alert: 'M10 3.5 17.5 16.500h-15zM10 8.500v3.500M10 14.300v.1',
  zone: 'M5.5 2.800h9v14.400h-9zM5.5 5.500h9M5.5 14h9',
  link: 'M8.5 11.500a3 3 0 0 0 4.3 0l2.7-2.700a3 3 0 0 0-4.3-4.300l-1 1M11.5 8.500a3 3 0 0 0-4.3 0l-2.7 2.700a3 3 0 0 0 4.3 4.300l1-1',
  grip: 'M7.5 5v.1M12.5 5v.1M7.5 10v.1M12.5 10v.1M7.5 15v.1M12.5 15v.1',
  find: 'M9 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM12.7 12.7 16.5 16.5',
  plus: 'M10 4v12M4 10h12',
  dots: 'M4.500 10h.1M10 10h.1M15.500 10h.1',
  stop: 'M6 6h8v8H6z',
  out: 'M8 4H4.500v12H8M8.5 10H17M14 7l3 3-3 3',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  const isDirectional = name === 'back' || name === 'forward' || name === 'out' || name === 'undo';
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      className={`size-5 shrink-0 ${isDirectional ? 'rtl:-scale-x-100' : ''} ${className}`}
    >
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** The mark: a hook that hangs from a float. */
export function Mark({ className = '' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="9" fill="#11302b" />
      <path
        d="M19 5v14a5.5 5.5 0 1 1-11 0"
        fill="none"
        stroke="#f7f5ef"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="19" cy="8" r="4.5" fill="#ff6b4a" />
    </svg>
  );
}
