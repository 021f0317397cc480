import type { Resource } from '../api/resources/resource.ts';
import { usageError } from '../errors.ts';
import { createJqBatch, type JqBatch } from './jq-batch.ts';
import { isCostlyForEach } from './jq-cost.ts';
import { runJq, type JqResult } from './jq.ts';
import { countable, planJq, type JqPlan } from './jq-plan.ts';
import type { PrintContext } from './print-context.ts';
import { isIndented, jqText, runOn } from './print-json.ts';
import { createSpool, textOf } from './spool.ts';

/** Characters of JSON that jq takes at once: its engine has memory for a little more. */
export const mostAtOnce = 32 * 1024 * 1024;

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
