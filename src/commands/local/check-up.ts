import type { Input } from '../../command/command.ts';
import { usageError } from '../../errors.ts';
import { sizeOf } from '../../parse/size.ts';
import { checkKeep } from './keep.ts';
import { slotTags } from './slot-tags.ts';
import type { localUp } from './index.ts';

/** Code 2 for values of `local up` that make no sense. */
export function checkUp(input: Input<typeof localUp>): void {
  const { port, rateLimit, keep, slots, tags, heartbeat, expireAfter, maxLog } = input;
  if (keep !== undefined && keep !== 'all') checkKeep(keep);
  checkNumber('--port', port, 0, 65_535);
  checkNumber('--slots', slots, 0, 1000);
  checkNumber('--heartbeat', heartbeat, 1, 3600);
  if (expireAfter !== undefined && expireAfter < 1000)
    throw usageError('--expire-after takes a duration from 1s');
  if (maxLog !== undefined && sizeOf(maxLog) === undefined)
    throw usageError(`--max-log takes a size such as 10MB or 1GiB, not ${JSON.stringify(maxLog)}`);
  if (rateLimit !== undefined && rateLimit < 1)
    throw usageError(`--rate-limit takes a number from 1, not ${rateLimit}`);
  slotTags(tags);
}

function checkNumber(flag: string, value: number | undefined, from: number, to: number): void {
  if (value !== undefined && (value < from || value > to))
    throw usageError(`${flag} takes a number from ${from} to ${to}, not ${value}`);
}
