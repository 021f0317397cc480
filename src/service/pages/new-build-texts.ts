import type { NewBuildTexts } from '../../pages/lists/new-build-form.tsx';
import { linesText, pairsOfLines } from './pair-lines.ts';

/** What was typed, or what an address asks to begin with. `usual`: where it says nothing. */
export const newBuildTexts = (
  fields: URLSearchParams,
  usual: { readonly branch: string; readonly commit: string },
): NewBuildTexts => ({
  branch: fields.get('branch') ?? usual.branch,
  commit: fields.get('commit') ?? usual.commit,
  message: linesText(fields.get('message')),
  env: linesText(fields.get('env')),
  metaData: linesText(fields.get('meta_data')),
  cleanCheckout: fields.has('clean_checkout'),
  ignoreBranchFilters: fields.has('ignore_pipeline_branch_filters'),
});

/** The body for the API, and what cannot be read. */
export function newBuildBody(texts: NewBuildTexts): {
  readonly body: object;
  readonly problems: readonly string[];
} {
  const env = pairsOfLines(texts.env, 'Environment');
  const metaData = pairsOfLines(texts.metaData, 'Meta-data');
  return {
    problems: [...env.problems, ...metaData.problems],
    body: {
      branch: texts.branch.trim(),
      commit: texts.commit.trim(),
      message: texts.message,
      env: env.pairs,
      meta_data: metaData.pairs,
      clean_checkout: texts.cleanCheckout,
      ignore_pipeline_branch_filters: texts.ignoreBranchFilters,
    },
  };
}
