import { membersRead } from './jq-members.ts';

/**
 * How a program of jq may be run on a long array: `each` on one part of it after the other, where
 * its values come one after the other too; `gather` where it first makes an array of what each part
 * gives by `head`, and then runs `rest` on it, if there is one. Else the program is all rest.
 */
export type JqPlan =
  | { readonly kind: 'each' }
  | { readonly kind: 'gather'; readonly head?: string; readonly rest?: string };

/** Makes what can be counted, and nothing else. */
export const countable = 'map(0)';

/** Decides by the text alone, and for `rest` where in doubt. */
export function planJq(program: string): JqPlan {
  if (usesMoreThanInput(program)) return { kind: 'gather', rest: program };
  if (isEach(program)) return { kind: 'each' };
  if (/^\s*length\s*(?:$|\|(?!=))/.test(program)) {
    return { kind: 'gather', head: countable, rest: program };
  }
  return gathering(program) ?? picking(program) ?? { kind: 'gather', rest: program };
}

/** Leaves out of the elements what the program does not read. */
function picking(program: string): JqPlan | undefined {
  const members = membersRead(program)?.map((name) => JSON.stringify(name));
  if (members === undefined) return undefined;
  const picked = members.map((name) => `${name}: .[${name}]`).join(', ');
  const head = `map(if type == "object" then {${picked}} else . end)`;
  return { kind: 'gather', head, rest: program };
}

/** Whether it may behave otherwise after another part: it ends jq, or takes what comes next. */
export const usesMoreThanInput = (program: string): boolean =>
  /\b(?:inputs?|input_line_number|halt|halt_error|debug|stderr|import|include)\b|\$__loc__/.test(
    program,
  );

/** `.[]` with plain names, and whatever behind a `|`, which binds weakest. */
const isEach = (program: string): boolean =>
  /^\s*\.\[\](?:\.?\[\]|\.[A-Za-z_]\w*|\["\w*"\])*\s*(?:$|\|(?!=))/.test(program);

/** `map(…)` or `[.[] …]`, alone or with something behind a `|`. */
function gathering(program: string): JqPlan | undefined {
  const [start] = /^\s*(?:map\s*\(|\[)/.exec(program) ?? [];
  if (start === undefined) return undefined;
  const end = closing(program, start.length);
  const head = program.slice(0, end);
  if (start.endsWith('[') && !isEach(head.trim().slice(1, -1))) return undefined;
  const [behind, rest] = /^\s*(?:\|(?!=)([^]*))?$/.exec(program.slice(end)) ?? [];
  if (end === -1 || behind === undefined) return undefined;
  return rest === undefined ? { kind: 'gather', head } : before(head, planJq(rest), rest);
}

/** The plan of a program that begins with `head`: what follows may be a head too. */
function before(head: string, plan: JqPlan, rest: string): JqPlan {
  if (plan.kind === 'each' || plan.head === undefined) return { kind: 'gather', head, rest };
  return { ...plan, head: `${head} | ${plan.head.trim()}` };
}

/**
 * Behind the bracket that closes the one before `from`; -1 where that is hard to say: texts with
 * values inside, comments.
 */
function closing(program: string, from: number): number {
  const tokens = /"(?:[^"\\]|\\[^(])*"|[()[\]{}]|["#]/g;
  tokens.lastIndex = from;
  let depth = 1;
  for (let token = tokens.exec(program); token !== null; token = tokens.exec(program)) {
    const [sign] = token;
    if (sign === '"' || sign === '#') return -1;
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    if (depth === 0) return tokens.lastIndex;
  }
  return -1;
}
