import type { Resource } from '../../api/resources/resource.ts';
import { usageError } from '../../errors.ts';
import { isCostlyForEach, runJq, type JqResult } from './jq.ts';
import type { PrintContext } from '../print-context.ts';
import { isIndented, jqText, runOn, printJq } from '../print-json.ts';
import { createSpool, textOf } from '../spool.ts';
import { membersRead } from './members.ts';

/** Characters of JSON that jq takes at once: its engine has memory for a little more. */
const mostAtOnce = 32 * 1024 * 1024;

/**
 * Prints what the program of `--jq` makes of a whole list, batch by batch as far as the program
 * allows; nothing before the list is complete. Throws `CictlError` of kind `usage` where it has to
 * be given more at once than jq takes.
 */
export function jqList(context: PrintContext, resource: Resource): JqBatch {
  const program = context.settings.jq ?? '.';
  const plan = planJq(program);
  const part = plan.kind === 'each' ? printEach(context) : gather(context, resource, plan);
  let first: readonly string[] | undefined;
  let count = 0;
  const batch = createJqBatch(async (texts) => {
    count += 1;
    // Most lists are one batch, for which nothing is to be planned.
    if (count === 1) return void (first = texts);
    if (first !== undefined) await part.add(first);
    first = undefined;
    await part.add(texts);
  });
  return {
    add: (json) => batch.add(json),
    async flush() {
      await batch.flush();
      if (count > 1) await part.end();
      else await runOn(context, `[${(first ?? []).join(',')}]`);
    },
  };
}

interface Parts {
  add(texts: readonly string[]): Promise<void>;
  end(): Promise<void>;
}

function printEach(context: PrintContext): Parts {
  const spool = createSpool();
  const end = () => spool.drain((piece) => context.write(piece));
  return {
    async add(texts) {
      const { failure, ...result } = await run(context, context.settings.jq ?? '.', texts);
      await spool.add(jqText(context, result));
      if (failure === undefined) return;
      await end();
      throw failure;
    },
    end,
  };
}

function gather(
  context: PrintContext,
  resource: Resource,
  { head, rest }: Extract<JqPlan, { kind: 'gather' }>,
): Parts {
  const spool = createSpool();
  async function add(texts: readonly string[]): Promise<void> {
    const inner =
      head === undefined
        ? texts.join(',')
        : await insideOf(context, head, texts, rest === undefined);
    if (inner === '') return;
    await spool.add(spool.length === 0 ? inner : separator(context, rest === undefined) + inner);
    if (rest !== undefined && spool.length > mostAtOnce) throw tooLarge(resource);
  }
  async function end(): Promise<void> {
    if (rest !== undefined) return runOn(context, `[${await textOf(spool)}]`, rest);
    if (spool.length === 0) return context.write('[]\n');
    const line = isIndented(context) ? '\n' : '';
    await context.write(`[${line}`);
    await spool.drain((piece) => context.write(piece));
    await context.write(`${line}]\n`);
  }
  return { add, end };
}

/** What the array that `head` makes has between its brackets. */
async function insideOf(
  context: PrintContext,
  head: string,
  texts: readonly string[],
  isPrinted: boolean,
): Promise<string> {
  if (head === countable) return texts.map(() => 0).join(',');
  const result = await run(context, head, texts, isPrinted && isIndented(context));
  if (result.failure !== undefined) throw result.failure;
  const text = isPrinted ? jqText(context, result) : result.values.join('');
  return text
    .trim()
    .slice(1, -1)
    .replace(/^\n|\n$/g, '');
}

const separator = (context: PrintContext, isPrinted: boolean): string =>
  isPrinted && isIndented(context) ? ',\n' : ',';

async function run(
  context: PrintContext,
  program: string,
  texts: readonly string[],
  indent = isIndented(context),
): Promise<JqResult> {
  const { signal } = context;
  // What one batch takes is done at once, and would let no signal through.
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
  // The loop over the elements is theirs, the others are of one element each.
  const isCostly = isCostlyForEach(program.replace(/^\s*\[?\s*\.\[\]/, '.'), texts);
  return runJq(program, `[${texts.join(',')}]`, { indent, signal, isCostly });
}

const tooLarge = ({ plural }: Resource): Error =>
  usageError(
    `--jq gets all ${plural} at once, and they are more than ${mostAtOnce / 1024 ** 2} MiB of JSON`,
    '-o jsonl, which gives the program one at a time, or --fields with those that it reads',
  );

/**
 * Prints what the program of `--jq` makes of each element, a batch in one go. Where one of them
 * fails, they are run one by one, since what comes before it is printed.
 */
export function jqLines(context: PrintContext) {
  const { settings, signal } = context;
  const program = settings.jq ?? '.';
  const apart = usesMoreThanInput(program);
  return createJqBatch(async (texts) => {
    if (!apart && texts.length > 1) {
      const result = await attempt(program, texts, signal);
      if (result !== undefined) return printJq(context, result);
    }
    for (const text of texts) await runOn(context, text);
  }, 1);
}

async function attempt(
  program: string,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<JqResult | undefined> {
  try {
    const isCostly = isCostlyForEach(program, texts);
    const array = `[${texts.join(',')}]`;
    const result = await runJq(`.[] | ${program}`, array, { indent: false, signal, isCostly });
    return result.failure === undefined ? result : undefined;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/** JSON texts that are collected until they are worth a start of jq. */
export interface JqBatch {
  add(json: string): Promise<void>;
  /** Uses what is left. */
  flush(): Promise<void>;
}

/** As many as a page of a list has, and no more than jq reads in a moment. */
const most = { elements: 100, characters: 400_000 };

/**
 * `use` gets the elements of a batch. `first` is the size of the first one, and each may be twice as
 * large as the one before: what is printed at once begins with a small one.
 */
function createJqBatch(
  use: (texts: readonly string[]) => Promise<void>,
  first = most.elements,
): JqBatch {
  let [texts, length, enough]: [string[], number, number] = [[], 0, first];
  async function flush(): Promise<void> {
    const ready = texts;
    [texts, length, enough] = [[], 0, Math.min(2 * enough, most.elements)];
    if (ready.length > 0) await use(ready);
  }
  return {
    async add(json) {
      texts.push(json);
      length += json.length;
      if (texts.length >= enough || length >= most.characters) await flush();
    },
    flush,
  };
}

/**
 * How a program of jq may be run on a long array: `each` on one part of it after the other, where
 * its values come one after the other too; `gather` where it first makes an array of what each part
 * gives by `head`, and then runs `rest` on it, if there is one. Else the program is all rest.
 */
type JqPlan =
  | { readonly kind: 'each' }
  | { readonly kind: 'gather'; readonly head?: string; readonly rest?: string };

/** Makes what can be counted, and nothing else. */
const countable = 'map(0)';

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
const usesMoreThanInput = (program: string): boolean =>
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
