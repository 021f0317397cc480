import { shorten, widthOf } from '../render/width.ts';

/**
 * The name of a job in at most `width` columns: its title gives way before its end, which tells it
 * apart from the other jobs of its step.
 */
export function shortenName(name: string, end: string, width: number): string {
  if (widthOf(name) <= width) return name;
  const left = width - widthOf(end);
  return left < leastTitle ? shorten(name, width) : shorten(without(name, end), left) + end;
}

/** Columns of a title below which it says nothing. */
const leastTitle = 6;

const without = (name: string, end: string): string => name.slice(0, name.length - end.length);

/** ` 2/3`, ` linux` or ` (2)`: the end of a name that says which one of several it is. */
export function distinctEnd(name: string, variant: string): string {
  const counted = counter.exec(name)?.[0] ?? '';
  const end = ` ${variant}${/ \(\d+\)$/.exec(name)?.[0] ?? ''}`;
  return variant !== '' && name.endsWith(end) ? end : counted;
}

const counter = /(?: #?\d{1,6}(?:\/\d{1,6})?)?(?: \(\d{1,6}\))?$/;
