import { percent } from '../../stats/stats-resource.ts';
import { took } from './took.ts';

interface TrendProps {
  /** Seconds, from old to new. */
  readonly values: readonly number[];
  /** The share that passed, for each of the values. */
  readonly rates: readonly number[];
  readonly of: string;
  readonly isSmall?: boolean;
}

/** A bar a value, the largest as high as all of it, with what failed as its foot; nothing for less than two. */
export const Trend = ({ values, rates, of, isSmall = false }: TrendProps) => {
  if (values.length < 2) return <></>;
  const most = Math.max(...values, 0.001);
  const size = isSmall ? { step: 4, height: 16 } : { step: 24, height: 96 };
  const width = values.length * size.step;
  // Times that are not known have no bar, so that the rates would be those of others.
  const rateOf = (index: number): number =>
    rates.length === values.length ? (rates[index] ?? 1) : 1;
  const words = values.map((value, index) => wordsOf(value, rateOf(index)));
  return (
    <svg
      class={isSmall ? 'trend small' : 'trend'}
      viewBox={`0 0 ${width} ${size.height}`}
      width={width}
      height={size.height}
      role="img"
      aria-label={`Duration of ${of}, from old to new: ${words.join(', ')}`}
    >
      {values.map((value, index) => (
        <Bar
          {...size}
          at={index * size.step}
          share={value / most}
          rate={rateOf(index)}
          title={isSmall ? undefined : words[index]}
        />
      ))}
    </svg>
  );
};

const wordsOf = (value: number, rate: number): string =>
  rate === 1 ? took(value) : `${took(value)} (${percent(rate) ?? ''} passed)`;

interface BarProps {
  readonly at: number;
  readonly step: number;
  readonly height: number;
  readonly share: number;
  readonly rate: number;
  readonly title: string | undefined;
}

const Bar = ({ at, step, height, share, rate, title }: BarProps) => {
  const tall = Math.max(1, Math.round(share * height));
  const failed = rate === 1 ? 0 : Math.max(1, Math.round((1 - rate) * tall));
  const width = step * 0.75;
  return (
    <g>
      {title !== undefined && <title>{title}</title>}
      <rect x={at} y={height - tall} width={width} height={tall - failed} />
      {failed > 0 && (
        <rect class="failed" x={at} y={height - failed} width={width} height={failed} />
      )}
    </g>
  );
};
