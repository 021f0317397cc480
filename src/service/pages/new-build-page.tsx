/** The page `/ORG/PIPELINE/builds/new`. */
import type { Build } from '../../api/resources/build.ts';
import type { Pipeline } from '../../api/resources/pipeline.ts';
import { NewBuildForm, type NewBuildTexts } from '../../pages/lists/new-build-form.tsx';
import { pipelinePath, webPipeline, pipelineCrumbs } from './addresses.ts';
import { assertMayWrite, type PageCall, type PageContent, type PageHandler } from './page-call.ts';
import { problemsOf, type Problems, linesText, pairsOfLines } from './forms.ts';

/** Query parameters prefill the form: `?branch=main&commit=…&message=…`. */
export const newBuildPage: PageHandler = async (call) => {
  const { api, params, query } = call;
  const pipeline = (await api.request('GET', pipelinePath(params))) as Pipeline;
  assertMayWrite(call);
  const usual = { branch: pipeline.default_branch ?? 'main', commit: 'HEAD' };
  return formPage(call, newBuildTexts(query, usual));
};

export const createBuild: PageHandler = async (call) => {
  const { api, params, form } = call;
  assertMayWrite(call);
  const texts = newBuildTexts(form, { branch: '', commit: '' });
  const { body, problems } = newBuildBody(texts);
  if (problems.length > 0) return formPage(call, texts, { status: 422, problems });
  try {
    const build = (await api.request('POST', `${pipelinePath(params)}/builds`, body)) as Build;
    return { location: `${webPipeline(params)}/builds/${build.number ?? ''}` };
  } catch (error) {
    return formPage(call, texts, problemsOf(error));
  }
};

const formPage = (
  { params, context }: PageCall,
  texts: NewBuildTexts,
  { status, problems }: Problems = { status: 200, problems: [] },
): PageContent => ({
  status,
  title: `New build of ${params['pipeline'] ?? ''}`,
  crumbs: pipelineCrumbs(params, { text: 'New build' }),
  body: (
    <>
      <h1>New build</h1>
      <NewBuildForm action={`${webPipeline(params)}/builds`} {...{ context, texts, problems }} />
    </>
  ),
});

const newBuildTexts = (
  fields: URLSearchParams,
  usual: { branch: string; commit: string },
): NewBuildTexts => ({
  branch: fields.get('branch') ?? usual.branch,
  commit: fields.get('commit') ?? usual.commit,
  message: linesText(fields.get('message')),
  env: linesText(fields.get('env')),
  metaData: linesText(fields.get('meta_data')),
  cleanCheckout: fields.has('clean_checkout'),
  ignoreBranchFilters: fields.has('ignore_pipeline_branch_filters'),
});

function newBuildBody(texts: NewBuildTexts) {
  const env = pairsOfLines(texts.env, 'Environment');
  const metaData = pairsOfLines(texts.metaData, 'Meta-data');
  const body = {
    branch: texts.branch.trim(),
    commit: texts.commit.trim(),
    message: texts.message,
    env: env.pairs,
    meta_data: metaData.pairs,
    clean_checkout: texts.cleanCheckout,
    ignore_pipeline_branch_filters: texts.ignoreBranchFilters,
  };
  return { body, problems: [...env.problems, ...metaData.problems] };
}
