/** The line of a build: what it is stays, what is said beside it gives way, the branch first. */
import type { Build } from '../api/resources/build.ts';
import { stateColor, stateGlyph, stateText } from '../render/state.ts';
import { cleanLine } from '../untrusted-text.ts';
import { widthOf } from '../render/width.ts';
import { currentJobs } from './changes.ts';
import { clockTime, elapsed } from './clock-time.ts';
import { jobCounts } from './job-counts.ts';
import { keepEnd } from './keep-end.ts';
import type { FrameOptions } from './frame.ts';

type HeadOptions = Pick<FrameOptions, 'now' | 'width' | 'colors'>;

/** `● web #143 running 0:17   5/8 done · 3 running        main  99999999`. */
export function headLine(build: Build, { now, width, colors }: HeadOptions): string {
  const { glyph, word, title, time } = headParts(build, now);
  const color = colors[stateColor(build.state ?? 'unknown', build)];
  const left = `${color(glyph)} ${colors.bold(title)} ${color(word)}${time}`;
  let free = width - widthOf(`${glyph} ${title} ${word}${time}`);
  const counts = fitting(jobCounts(currentJobs(build)), free - 3);
  if (counts !== '') free -= widthOf(counts) + 3;
  const right = revision(build, free - 2);
  const middle = counts === '' ? '' : `   ${counts}`;
  if (right === '') return `${left}${middle}`;
  return `${left}${middle}${' '.repeat(free - widthOf(right))}${colors.dim(right)}`;
}

/** Columns of the line in which nothing is cut. */
export function headWidth(build: Build, { now }: HeadOptions): number {
  const { glyph, word, title, time } = headParts(build, now);
  const counts = jobCounts(currentJobs(build)).join(' · ');
  return widthOf(`${glyph} ${title} ${word}${time}   ${counts}  ${revision(build, Infinity)}`);
}

function headParts(build: Build, now: number) {
  const state = build.state ?? 'unknown';
  const slug = cleanLine(build.pipeline?.slug ?? build.pipeline?.name ?? 'build');
  return {
    glyph: stateGlyph(state, build),
    word: stateText(state, build),
    title: `${slug} #${build.number ?? '?'}`,
    time: timeOf(build, now),
  };
}

function timeOf(build: Build, now: number): string {
  const ms = elapsed(build, now);
  if (ms === undefined) return '';
  return `${build.finished_at ? ' in' : ''} ${clockTime(ms)}`;
}

/** As many from the first on as there is place for. */
function fitting(parts: readonly string[], width: number): string {
  const fits = parts.findLastIndex((_, at) => widthOf(parts.slice(0, at + 1).join(' · ')) <= width);
  return parts.slice(0, fits + 1).join(' · ');
}

/** Columns of a branch below which it says nothing. */
const leastBranch = 8;

/** Branch and commit, the end of the branch alone, or the commit alone. */
function revision({ branch, commit }: Build, width: number): string {
  const [name, short] = [cleanLine(branch ?? ''), cleanLine((commit ?? '').slice(0, 8))];
  if (widthOf(short) > width) return '';
  const place = width - widthOf(short) - (short === '' ? 0 : 2);
  const shown = widthOf(name) <= place || place >= leastBranch ? keepEnd(name, place) : '';
  return [shown, short].filter((part) => part !== '').join('  ');
}
