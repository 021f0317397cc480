/** In milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Stretch extends Span {
  /** Milliseconds that it takes on the line: fewer than it has where it is a gap. */
  readonly width: number;
  readonly isGap: boolean;
}

/** Parts a time into what is shown as it was and gaps: long times in which nothing was busy. */
export function stretchesOf(whole: Span, busy: readonly Span[]): Stretch[] {
  const idle = idleIn(whole, busy);
  const used = idle.reduce((left, { from, to }) => left - (to - from), whole.to - whole.from);
  const gaps = used <= 0 ? [] : idle.filter(({ from, to }) => to - from > used * longIdle);
  const stretches: Stretch[] = [];
  let from = whole.from;
  for (const gap of gaps) {
    if (gap.from > from) stretches.push(asItWas({ from, to: gap.from }));
    stretches.push({ ...gap, width: used * gapWidth, isGap: true });
    from = gap.to;
  }
  return from < whole.to ? [...stretches, asItWas({ from, to: whole.to })] : stretches;
}

/** Shares of all busy time: from when on an idle time is a gap, and what is left of it. */
const longIdle = 0.2;
const gapWidth = 0.1;

const asItWas = ({ from, to }: Span): Stretch => ({ from, to, width: to - from, isGap: false });

/** The times between the busy ones. */
function idleIn(whole: Span, busy: readonly Span[]): Span[] {
  const idle: Span[] = [];
  let { from } = whole;
  for (const span of [...busy].sort((one, other) => one.from - other.from)) {
    if (span.from > from) idle.push({ from, to: Math.min(span.from, whole.to) });
    from = Math.max(from, span.to);
  }
  return from < whole.to ? [...idle, { from, to: whole.to }] : idle;
}
