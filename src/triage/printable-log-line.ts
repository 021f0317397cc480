import { printablePainted } from '../render/width.ts';
import { untab } from './untab.ts';

/** A line of a log, coloured or not, fit for a place on a screen: no control character but colours. */
export const printableLogLine = (line: string): string => printablePainted(untab(line));
