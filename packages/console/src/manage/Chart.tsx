import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { manageTexts } from '../texts/manage.ts';
import { locale } from '../zone.ts';

type Props = {
  /** What a screen reader says instead; the figures themselves are in a table below. */
  label: string;
  /** Days, as seconds since 1970. */
  days: readonly number[];
  series: readonly { name: string; values: readonly number[]; color: 'go' | 'float' | 'focus' }[];
};

const height = 220;

/** Lines over days. Drawn again when the width or the colour scheme changes. */
export function Chart({ label, days, series }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      const style = getComputedStyle(element);
      const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
      const axis = {
        stroke: color('soft'),
        grid: { stroke: color('line'), width: 1 },
        ticks: { stroke: color('line'), width: 1 },
      };
      // The legend has the figures of the day under the pointer, else of the last one.
      const showLast = (shown: uPlot) => {
        if (shown.legend.idx == null) shown.setLegend({ idx: days.length - 1 }, false);
      };
      plot = new uPlot(
        {
          width: element.clientWidth,
          height,
          cursor: { drag: { x: false, y: false } },
          // A day is the same everywhere; the points are its midnight in UTC.
          tzDate: seconds => uPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
          scales: { y: { range: (_plot, _min, max) => [0, Math.max(max * 1.1, 4)] } },
          hooks: { ready: [showLast], setLegend: [showLast] },
          axes: [
            { ...axis, space: 64, values: (_plot, ticks) => ticks.map(dayName) },
            { ...axis, size: 56, values: (_plot, ticks) => ticks.map(short) },
          ],
          series: [
            { label: manageTexts.numbers.day, value: (_plot, seconds) => dayName(seconds) },
            ...series.map(({ name, color: of }) => ({
              label: name,
              stroke: color(of),
              width: 2,
              fill: series.length === 1 ? color(`${of}-wash`) : undefined,
              points: { show: days.length < 40 },
            })),
          ] as uPlot.Series[],
        },
        [[...days], ...series.map(({ values }) => [...values])] as uPlot.AlignedData,
        element,
      );
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [days, series]);
  return (
    <figure aria-label={label} className="m-0 min-w-0">
      <div ref={frame} aria-hidden="true" className="min-w-0" />
    </figure>
  );
}

function dayName(seconds: number): string {
  const shown = { timeZone: 'UTC', month: 'short', day: 'numeric' } as const;
  return new Intl.DateTimeFormat(locale(), shown).format(new Date(seconds * 1_000));
}

function short(value: number): string {
  return Intl.NumberFormat(locale(), { notation: 'compact' }).format(value);
}
