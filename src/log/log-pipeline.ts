import { head, tail, tailThenAll } from './head-tail.ts';
import { grep, type GrepOptions } from './grep.ts';
import type { PageHead } from './html/page.ts';
import { oneMarkALine, type Times } from './time-marks.ts';
import { rawLines } from './line-buffer.ts';
import { settle } from './settle.ts';
import { chain, type Stage } from './stage.ts';
import { closeStyleInLine, standalone } from './style.ts';
import { timestamps } from './timestamps.ts';
import type { TimestampKind } from './format-time.ts';
import { readHeader } from './sections.ts';
import { mapLines } from './text.ts';

export interface LogView {
  readonly format: 'ansi' | 'text' | 'raw' | 'html';
  readonly group?: ((name: string) => boolean) | undefined;
  readonly grep?: GrepOptions | undefined;
  /** Maximum numbers of lines, applied after the other filters */
  readonly head?: number | undefined;
  readonly tail?: number | undefined;
  /** Only for `ansi` and `text`. */
  readonly timestamps?: TimestampKind | undefined;
  readonly page?: PageHead;
  readonly isFollowed?: boolean;
  /** Set if the log is growing. `caughtUp`: whether everything from the start has been pushed */
  readonly growing?: { readonly caughtUp: () => boolean } | undefined;
}

export async function createLogPipeline(view: LogView): Promise<Stage<Uint8Array>> {
  if (view.format === 'raw') return chain(rawLines(), ...filters(view));
  const { format, isFollowed = false } = view;
  const marks = view.timestamps !== undefined || format === 'html';
  const colours = format !== 'text';
  const chosen = filters(view);
  // If the user stops following a log, colors must not leak into the terminal.
  const alone = chosen.length > 0 || view.growing !== undefined;
  const times: Times = { first: undefined };
  const stamps = view.timestamps && timestamps(view.timestamps, times);
  // Unless a filter comes first, the timestamp stage can read all time marks itself.
  const simply = chosen.length === 0 && !(colours && alone) && format !== 'html';
  const keep = { marks, colours, links: format === 'html' };
  const settled = settle(keep, view.growing && 1, {
    times: simply ? stamps : undefined,
    closes: format === 'ansi' && !alone && !isFollowed,
  });
  const last = format === 'ansi' && isFollowed ? [closeStyleInLine()] : [];
  if (simply && stamps) {
    // `settle` adds times to all lines except those that it buffers until the end.
    const stamped = { ...settled, end: () => stamps.push(settled.end()) };
    return chain(stamped, ...last);
  }
  return chain(
    settled,
    ...(marks ? [oneMarkALine(times)] : []),
    ...(colours && alone ? [standalone()] : []),
    ...chosen,
    ...(stamps ? [stamps] : []),
    ...last,
    // Only loaded for HTML pages, because `ansi-to-html` is slow to load.
    ...(format === 'html'
      ? [(await import('./html/page.ts')).toHtml(view.page ?? { title: '' })]
      : []),
  );
}

function filters(view: LogView): Stage[] {
  const stages: Stage[] = [];
  if (view.group !== undefined) stages.push(onlyGroups(view.group));
  if (view.grep !== undefined) stages.push(grep(view.grep));
  if (view.head !== undefined) stages.push(head(view.head));
  if (view.tail !== undefined) {
    stages.push(view.growing ? tailThenAll(view.tail, view.growing.caughtUp) : tail(view.tail));
  }
  return stages;
}

/** Passes on the sections whose names match, including their headers. */
function onlyGroups(isWanted: (name: string) => boolean): Stage {
  let wanted = false;
  const pass = (line: string): string => {
    const header = readHeader(line);
    if (header) wanted = isWanted(header.name);
    return wanted ? line : '';
  };
  return { push: (lines) => mapLines(lines, pass), end: () => '' };
}
