import { flagName, type Option, type Options } from '../../command/command.ts';

/** The places of the words of a command line, as far as these options tell values from words. */
export function wordPlaces(args: readonly string[], options: Options): number[] {
  const places: number[] = [];
  const end = endOf(args);
  for (let at = 0; at < end; at++) {
    const arg = args[at] ?? '';
    if (!isFlag(arg)) places.push(at);
    else if (takesNext(arg, options)) at++;
  }
  return places;
}

/** The places of its flags. */
export function flagPlaces(args: readonly string[], options: Options): number[] {
  const places: number[] = [];
  const end = endOf(args);
  for (let at = 0; at < end; at++) {
    const arg = args[at] ?? '';
    if (!isFlag(arg)) continue;
    places.push(at);
    if (takesNext(arg, options)) at++;
  }
  return places;
}

const isFlag = (arg: string): boolean => arg.startsWith('-') && arg.length > 1 && !/\s/.test(arg);

/** Behind `--` all are words. */
function endOf(args: readonly string[]): number {
  const end = args.indexOf('--');
  return end === -1 ? args.length : end;
}

/** Whether the value of a flag stands behind it. */
const takesNext = (arg: string, options: Options): boolean =>
  optionOf(arg, options)?.value !== undefined;

/** The option that a flag as typed is; undefined where a value is joined to it. */
export function optionOf(arg: string, options: Options): Option | undefined {
  const found = Object.entries(options).find(
    ([key, { short }]) => arg === `--${flagName(key)}` || (short && arg === `-${short}`),
  );
  return found?.[1];
}
