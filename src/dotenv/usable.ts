import { isAssignable } from './quote.ts';

export interface Usable {
  readonly variables: Readonly<Record<string, string>>;
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

/** Parts the variables that a program or a shell can be given from those that it cannot. */
export function usable(env: Readonly<Record<string, unknown>>): Usable {
  const leftOut: { name: string; why: string }[] = [];
  const kept = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    const why = whyNot(name, value);
    if (why === undefined) return [[name, value as string]];
    leftOut.push({ name, why });
    return [];
  });
  return { variables: Object.fromEntries(kept), leftOut };
}

function whyNot(name: string, value: unknown): string | undefined {
  if (!isAssignable(name)) return 'no shell can be given a variable of this name';
  if (typeof value !== 'string') return 'its value is no text';
  return value.includes('\0') ? 'its value holds a NUL, which no variable can' : undefined;
}
