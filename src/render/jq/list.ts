import type { Resource } from '../../api/resources/resource.ts';
import { nextTurn } from '../../common/clock.ts';
import { usageError } from '../../errors.ts';
import { runJq, type JqResult } from './jq.ts';
import type { PrintContext } from '../print-context.ts';
import { isIndented, jqText, printJq, runOn } from '../print-json.ts';
import { createSpool, textOf } from '../spool.ts';

/** In characters. The engine has memory for little more than this. */
const maxArray = 32 * 1024 * 1024;

export interface JqList {
  add(json: string): Promise<void>;
  end(): Promise<void>;
}

/**
 * Prints the result of `--jq` for a list, after the last element. If the start of the program
 * allows it, the program runs on one batch of elements at a time. Usage error if jq would need too
 * much memory.
 */
export function jqArray(context: PrintContext, resource: Resource): JqList {
  const program = context.settings.jq ?? '.';
  const plan = planJq(program);
  const spool = createSpool();
  async function use(texts: readonly string[]): Promise<void> {
    if (plan.rest === undefined) {
      const { failure, ...result } = await runOnBatch(context, program, texts);
      await spool.add(jqText(context, result));
      if (failure !== undefined) {
        await spool.drain((text) => context.write(text));
        throw failure;
      }
    } else {
      const inner = plan.head === undefined ? texts.join(',') : await insideOf(plan.head, texts);
      if (inner !== '') await spool.add(spool.length === 0 ? inner : `,${inner}`);
      if (spool.length > maxArray) throw tooLarge(resource);
    }
  }

  /** The elements of the array that the program `head` returns. */
  async function insideOf(head: string, texts: readonly string[]): Promise<string> {
    if (head === toZeros) return texts.map(() => 0).join(',');
    const { values, failure } = await runOnBatch(context, head, texts, false);
    if (failure !== undefined) throw failure;
    return values.join('').slice(1, -1);
  }

  const batches = createBatches(use, maxBatch);
  return {
    add: (json) => batches.add(json),
    async end() {
      await batches.end();
      if (plan.rest === undefined) await spool.drain((text) => context.write(text));
      else await runOn(context, `[${await textOf(spool)}]`, plan.rest);
    },
  };
}

async function runOnBatch(
  context: PrintContext,
  program: string,
  texts: readonly string[],
  indent = isIndented(context),
): Promise<JqResult> {
  const { signal } = context;
  // The engine does not yield to other work.
  await nextTurn();
  signal?.throwIfAborted();
  return runJq(program, `[${texts.join(',')}]`, { indent, signal });
}

const tooLarge = ({ plural }: Resource): Error =>
  usageError(
    `--jq needs all ${plural} at once, but their JSON is larger than ${maxArray / 1024 ** 2} MiB`,
    'add -o jsonl to run the program on one element at a time, or --fields to reduce their size',
  );

/** Prints the result of `--jq` for each element of a list, batch by batch. */
export function jqLines(context: PrintContext): JqList {
  const program = context.settings.jq ?? '.';
  if (usesMoreThanInput(program)) {
    return { add: (json) => runOn(context, json), end: () => Promise.resolve() };
  }
  const each = program.trim() === '' ? '.[]' : `.[] | ${program}`;
  return createBatches(
    async (texts) => printJq(context, await runOnBatch(context, each, texts)),
    // Starts with a small batch, so that output appears immediately.
    1,
  );
}

/** In elements. The engine needs about the same time for one small element as for many. */
const maxBatch = 100;
const maxBatchLength = 400_000;

/** Collects batches of elements for `use`. Each batch may be twice as large as the previous one. */
function createBatches(use: (texts: string[]) => Promise<void>, firstSize: number): JqList {
  let [texts, length, size]: [string[], number, number] = [[], 0, firstSize];
  async function end(): Promise<void> {
    const batch = texts;
    [texts, length, size] = [[], 0, Math.min(2 * size, maxBatch)];
    if (batch.length > 0) await use(batch);
  }
  return {
    async add(json) {
      texts.push(json);
      length += json.length;
      if (texts.length >= size || length >= maxBatchLength) await end();
    },
    end,
  };
}

/**
 * `head` runs on each batch, and `rest` on the array of all results, or of all elements if there is
 * no `head`. Without `rest`, the results of the batches are the final result.
 */
interface JqPlan {
  readonly head?: string;
  readonly rest?: string;
}

export function planJq(program: string): JqPlan {
  const whole: JqPlan = { rest: program };
  if (usesMoreThanInput(program)) return whole;
  if (isEach(program)) return {};
  if (/^\s*length\s*(?:$|\|(?!=))/.test(program)) return { ...whole, head: toZeros };
  const end = endOfMap(program);
  const head = program.slice(0, end);
  const [tail, rest] = /^\s*(?:\|(?!=)([^]*))?$/.exec(program.slice(end)) ?? [];
  if (end === undefined || tail === undefined) return whole;
  if (rest === undefined) return { head, rest: '.' };
  const next = planJq(rest);
  if (next.head === undefined) return { head, rest };
  return { ...next, head: `${head} | ${next.head.trim()}` };
}

const toZeros = 'map(0)';

/** Whether the program uses more than its input (such as `input` or a variable), or may stop jq. */
const usesMoreThanInput = (program: string): boolean =>
  /\b(?:inputs?|input_line_number|halt|halt_error|debug|stderr|import|include)\b|\$__loc__/.test(
    program,
  );

/** Whether the program is `.[]` with plain names, optionally before a `|`, which binds weakest. */
const isEach = (program: string): boolean =>
  /^\s*\.\[\](?:\.?\[\]|\.[A-Za-z_]\w*|\["\w*"\])*\s*(?:$|\|(?!=))/.test(program);

/**
 * The end of a `map(…)` or `[.[] …]` at the start of a program. Undefined if there is none, or if
 * it contains comments or interpolated strings.
 */
function endOfMap(program: string): number | undefined {
  const code = program.replace(/"(?:[^"\\]|\\[^(])*"/g, (text) => '_'.repeat(text.length));
  const [start] = /^\s*(?:map\s*\(|\[)/.exec(code) ?? [];
  if (start === undefined) return undefined;
  let depth = 1;
  for (let at = start.length; at < code.length; at++) {
    const sign = code.charAt(at);
    if ('"#'.includes(sign)) return undefined;
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    if (depth > 0) continue;
    const isMap = start.endsWith('(') || isEach(program.slice(start.length, at));
    return isMap ? at + 1 : undefined;
  }
  return undefined;
}
