import { took } from './took.ts';

/** Bars from old to new, the largest as high as all of it; nothing for less than two. */
export const Trend = ({
  values,
  of,
  isSmall = false,
}: {
  /** Seconds. */
  readonly values: readonly number[];
  readonly of: string;
  readonly isSmall?: boolean;
}) => {
  if (values.length < 2) return <></>;
  const most = Math.max(...values, 0.001);
  const size = isSmall ? { step: 4, height: 16 } : { step: 24, height: 96 };
  const width = values.length * size.step;
  const words = values.map((value) => took(value)).join(', ');
  return (
    <svg
      class={isSmall ? 'trend small' : 'trend'}
      viewBox={`0 0 ${width} ${size.height}`}
      width={width}
      height={size.height}
      role="img"
      aria-label={`Duration of ${of}, from old to new: ${words}`}
    >
      {values.map((value, index) => (
        <Bar
          {...size}
          index={index}
          share={value / most}
          title={isSmall ? undefined : took(value)}
        />
      ))}
    </svg>
  );
};

interface BarProps {
  readonly index: number;
  readonly step: number;
  readonly height: number;
  readonly share: number;
  readonly title: string | undefined;
}

const Bar = ({ index, step, height, share, title }: BarProps) => {
  const tall = Math.max(1, Math.round(share * height));
  return (
    <rect x={index * step} y={height - tall} width={step * 0.75} height={tall}>
      {title !== undefined && <title>{title}</title>}
    </rect>
  );
};
