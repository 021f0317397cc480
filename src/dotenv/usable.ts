import { isHarmless } from './is-harmless.ts';

/** A variable that cannot be passed, or must not. */
export interface OmittedVariable {
  readonly name: string;
  readonly reason: string;
}

export interface Usable {
  readonly variables: Readonly<Record<string, string>>;
  readonly omitted: readonly OmittedVariable[];
}

/** Why a variable is omitted; undefined where it is passed. */
export type OmissionRule = (name: string, value: string) => string | undefined;

/** Splits variables into those that can be passed and those that are omitted. */
export function usable(env: Readonly<Record<string, unknown>>, omissionRule: OmissionRule): Usable {
  const omitted: OmittedVariable[] = [];
  const kept = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    const reason =
      typeof value === 'string' ? (noText(name + value) ?? omissionRule(name, value)) : notText;
    if (reason === undefined) return [[name, value as string]];
    omitted.push({ name, reason });
    return [];
  });
  return { variables: Object.fromEntries(kept), omitted };
}

const notText = 'the value is no text';

function noText(text: string): string | undefined {
  if (text.includes('\0')) return 'no variable can hold a NUL';
  return /\p{Surrogate}/u.test(text) ? 'half a surrogate pair is no character' : undefined;
}

/** For a POSIX shell: `a[$(id)]=1` would run a command, and so would `PROMPT_COMMAND=id`. */
export const notForShells: OmissionRule = (name, value) =>
  notAName(name, value) ??
  (isHarmless(name, value)
    ? undefined
    : 'bash, dash or zsh obeys or refuses such a name; --all-names forces');

/** For a shell, with `--all-names`. */
export const notAName: OmissionRule = (name) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? undefined : 'no shell can be given such a name';

/** For the environment of a program. */
export const notForPrograms: OmissionRule = (name) =>
  name === '' || name.includes('=') ? 'no program can be given such a name' : undefined;
