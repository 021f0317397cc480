import { createJqBatch } from './jq-batch.ts';
import { isCostlyForEach } from './jq-cost.ts';
import { runJq, type JqResult } from './jq.ts';
import { usesMoreThanInput } from './jq-plan.ts';
import type { PrintContext } from './print-context.ts';
import { printJq, runOn } from './print-json.ts';

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
