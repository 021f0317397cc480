import { oneMarkALine } from './time-marks.ts';
import { settle } from './settle.ts';
import { chain, type Stage } from './stage.ts';
import { standalone } from './standalone.ts';

/**
 * Settled lines with links, each with its own colours and at most one mark, so that a log can be
 * parted between any two of them. They are what `html/page-lines.ts` takes.
 */
export const standingLines = (): Stage<Uint8Array> =>
  chain(settle({ marks: true, colours: true, links: true }), oneMarkALine(), standalone());
