import { usageError } from '../errors.ts';
import type { CommandLine } from './program.ts';

/** Fields in a word of their own, as other tools take them: `--json number,state`. */
export function fieldsBehindJson({ entry, flags, behindJson }: CommandLine): string | undefined {
  if (entry === undefined || behindJson === undefined) return undefined;
  const isGiven = flags.some(({ key }) => key === 'json');
  return isGiven && areFields(behindJson, entry.command) ? behindJson : undefined;
}

type LineCommand = NonNullable<CommandLine['entry']>['command'];

/** One alone may also be the name of what the command is about, but not where that is a reference. */
function areFields(text: string, { arguments: own, resource }: LineCommand): boolean {
  const names = text.split(',');
  if (names.length > 1) return names.every((name) => /^\w+(?:\.\w+)*$/.test(name.trim()));
  const takes = Object.keys(own);
  const isReference = ['target', 'build', 'job'].some((key) => takes.includes(key));
  return (isReference || takes.length === 0) && Object.hasOwn(resource?.members ?? {}, text);
}

export const fieldsApart = (fields: string): Error =>
  usageError(`--json takes its fields behind =, and ${JSON.stringify(fields)} is a word apart`);
