import { stringifyJson } from '../../api/json.ts';
import type { Context } from '../../context.ts';
import { summaryResource, makeSummary, type SummaryParts } from '../../triage/summary.ts';

/** As the chosen form; in a pipe where none was chosen, one line of JSON: it is no row of a list. */
export async function printSummary(parts: SummaryParts, { out, settings }: Context): Promise<void> {
  const summary = makeSummary(parts);
  const { output, fields, jq } = settings;
  if (out.format === 'tsv' && [output, fields, jq].every((one) => one === undefined)) {
    return out.write(`${stringifyJson(summary)}\n`);
  }
  return out.one(summaryResource, summary);
}
