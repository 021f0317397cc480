import type { Job } from '../api/resources/job.ts';
import { cleanLine } from '../untrusted-text.ts';
import { cut, shorten, widthOf } from '../render/width.ts';

/** Columns of a name, and of what tells it apart from the other jobs of its step. */
const columns = 20;

/**
 * What stands before each line of a job's log, in a few columns: its label without emoji codes,
 * else its key, else the first words of its command; then which of the jobs of its step it is,
 * `test 2/3` or `test linux`.
 */
export function shortName(job: Job): string {
  const name = [labelOf(job), job.step_key, firstWords(job.command), job.id].find(isText) ?? 'job';
  const short = shorten(cleanLine(name).trim(), columns);
  const variant = variantOf(job, short);
  return variant.length === 0 ? short : `${short} ${shorten(variant.join(' '), columns)}`;
}

const isText = (text: string | null | undefined): text is string =>
  text !== undefined && text !== null && text.trim() !== '';

/** A service calls a step without a label by its command, all of it. */
function labelOf({ name, label, command }: Job): string | undefined {
  const own = [name, label].find((text) => isText(text) && text !== command);
  return own?.replace(/:[a-z_+-][\w+-]*:/gi, '').replace(/ {2,}/g, ' ');
}

/** As many whole words of the first line as fit, at least a part of the first. */
function firstWords(command: string | null | undefined): string | undefined {
  const [line = ''] = (command ?? '').trim().split('\n', 1);
  if (widthOf(cut(line, columns + 1)) <= columns) return line;
  const kept = cut(line, columns - 1).replace(/\s+\S*$/, '');
  return `${kept}…`;
}

/** `2/3` of `parallelism`, the values of a matrix; without what the name says already. */
export const variantOf = (job: Job, name: string): string[] =>
  variants(job).filter((part) => !hasWord(name, part));

function variants({ parallel_group_index: index, parallel_group_total: total, matrix }: Job) {
  if (typeof index === 'number' && typeof total === 'number' && total > 1)
    return [`${index + 1}/${total}`];
  if (typeof matrix !== 'object' || matrix === null) return [];
  return Object.values(matrix).map((value) => cleanLine(String(value)));
}

const hasWord = (text: string, word: string): boolean => ` ${text} `.includes(` ${word} `);
