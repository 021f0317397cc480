/**
 * The lines of `npm run bench`: what was measured, its figure, its goal, and whether the goal was
 * missed.
 */

/**
 * @typedef {{ name: string, against: string, goal?: string, sign?: string }} Row
 *   `goal`: `at most N` or `at least N`, in `sign` (a ratio where it is missing), and nothing where none is set
 * @typedef {{ ours: number, theirs: number, ratio: number, figure?: number, note?: string }} Result
 *   `figure`: what the goal is about, where that is not the ratio
 */

export const head = line('row', 'figure', 'goal', '', 'measured', 'against');

/** @param {Row} row @param {Result} result @param {string} unit of `ours` and `theirs` */
export function measured({ name, goal = '', against, sign = '×' }, result, unit) {
  const { ours, theirs, ratio, figure = ratio, note = '' } = result;
  const verdict = misses(figure, goal) ? 'missed' : '';
  const times = `${ours.toFixed(1)} / ${theirs.toFixed(1)} ${unit}`;
  return line(name, `${figure.toFixed(2)} ${sign}`, goal, verdict, times, `${against}${note}`);
}

/**
 * A row that could not be measured here.
 * @param {Row} row
 * @param {string} reason
 */
export const notMeasured = ({ name, goal = '', against }, reason) =>
  line(name, '', goal, 'not measured', reason, against);

/** A row without a figure. @param {Row} row */
export const listed = ({ name, goal = '', against }) => line(name, '', goal, '', '', against);

/** @param {number} figure @param {string} goal */
export function misses(figure, goal) {
  const [, bound, value] = /^at (most|least) ([\d.]+)$/.exec(goal) ?? [];
  if (value === undefined) return false;
  return bound === 'most' ? figure > Number(value) : figure < Number(value);
}

function line(name, figure, goal, verdict, times, against) {
  const columns = [name.padEnd(52), figure.padStart(9), goal.padEnd(13), verdict.padEnd(12)];
  return `${[...columns, times.padEnd(28), against].join('  ').trimEnd()}\n`;
}
