import { isHarmless } from './special.ts';

/** A variable that cannot be given, or must not. */
export interface LeftOut {
  readonly name: string;
  readonly why: string;
}

export interface Usable {
  readonly variables: Readonly<Record<string, string>>;
  readonly leftOut: readonly LeftOut[];
}

/** Why a variable is not given; undefined where it is. */
export type WhyNot = (name: string, value: string) => string | undefined;

/** Parts the variables that can be given from those that cannot: texts that bytes can hold. */
export function usable(env: Readonly<Record<string, unknown>>, whyNot: WhyNot): Usable {
  const leftOut: LeftOut[] = [];
  const kept = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    const why = typeof value === 'string' ? (noText(name + value) ?? whyNot(name, value)) : odd;
    if (why === undefined) return [[name, value as string]];
    leftOut.push({ name, why });
    return [];
  });
  return { variables: Object.fromEntries(kept), leftOut };
}

const odd = 'the value is no text';

function noText(text: string): string | undefined {
  if (text.includes('\0')) return 'no variable can hold a NUL';
  return /\p{Surrogate}/u.test(text) ? 'half a surrogate pair is no character' : undefined;
}

/** For a POSIX shell: `a[$(id)]=1` would run a command, and so would `PROMPT_COMMAND=id`. */
export const notForShells: WhyNot = (name, value) =>
  notAName(name, value) ??
  (isHarmless(name, value)
    ? undefined
    : 'bash, dash or zsh obeys or refuses such a name; --all-names forces');

/** For a shell whose user has asked for every name. */
export const notAName: WhyNot = (name) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? undefined : 'no shell can be given such a name';

/** For the environment of a program. */
export const notForPrograms: WhyNot = (name) =>
  name === '' || name.includes('=') ? 'no program can be given such a name' : undefined;
