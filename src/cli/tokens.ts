/** Takes a command line apart, in one pass: as `parseArgs` of Node does, which is quadratic. */

/** What the parser knows of a flag: its long name, its letter, whether a value belongs to it. */
export interface FlagShape {
  readonly name: string;
  readonly short: string | undefined;
  readonly hasValue: boolean;
}

export type Token =
  | {
      readonly kind: 'word';
      readonly text: string;
      readonly index: number;
      readonly behind: boolean;
    }
  | {
      readonly kind: 'flag';
      /** The long name, or the letter of a flag that is not known. */
      readonly name: string;
      /** As typed: `--state`, `-s`. */
      readonly typed: string;
      readonly value: string | undefined;
    };

/**
 * The flags and words of a command line. Letters may be bundled (`-qy`), the value of a flag may
 * stand behind it, behind `=` or at its letter (`-L5`), and may look like a flag. What `isWord`
 * says of an argument goes before that.
 */
export function tokens(
  args: readonly string[],
  flags: readonly FlagShape[],
  isWord: (arg: string) => boolean,
): Token[] {
  const names = new Map(flags.map((flag) => [flag.name, flag]));
  const letters = new Map(flags.map((flag) => [flag.short, flag]));
  const found: Token[] = [];
  let behind = false;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    const isFlag = !behind && arg.length > 1 && arg.startsWith('-') && !isWord(arg);
    if (!isFlag) found.push({ kind: 'word', text: arg, index, behind });
    else if (arg === '--') behind = true;
    else {
      const split = arg.startsWith('--') ? [longFlag(arg, names)] : bundle(arg, letters);
      const last = split.at(-1);
      const wantsNext = last?.flag?.hasValue === true && last.value === undefined;
      if (wantsNext && index + 1 < args.length) last.value = args[++index];
      for (const { flag, name, typed, value } of split)
        found.push({ kind: 'flag', name: flag?.name ?? name, typed, value });
    }
  }
  return found;
}

interface Split {
  readonly flag: FlagShape | undefined;
  readonly name: string;
  readonly typed: string;
  value: string | undefined;
}

function longFlag(arg: string, names: ReadonlyMap<string, FlagShape>): Split {
  const equals = arg.indexOf('=', 3);
  const typed = equals < 0 ? arg : arg.slice(0, equals);
  const name = typed.slice(2);
  const value = equals < 0 ? undefined : arg.slice(equals + 1);
  return { flag: names.get(name), name, typed, value };
}

/** Up to a letter that takes a value: what follows it is that value. */
function bundle(arg: string, letters: ReadonlyMap<string | undefined, FlagShape>): Split[] {
  const split: Split[] = [];
  for (let at = 1; at < arg.length; at++) {
    const name = arg.charAt(at);
    const flag = letters.get(name);
    const rest = flag?.hasValue === true && at + 1 < arg.length ? arg.slice(at + 1) : undefined;
    split.push({ flag, name, typed: `-${name}`, value: rest });
    if (rest !== undefined) break;
  }
  return split;
}
