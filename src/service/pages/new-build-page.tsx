/** `/ORG/PIPELINE/builds/new`: what a person needs to start a build. */
import type { Build } from '../../api/resources/build.ts';
import type { Pipeline } from '../../api/resources/pipeline.ts';
import { NewBuildForm, type NewBuildTexts } from '../../pages/lists/new-build-form.tsx';
import { pipelinePath, webPipeline } from './api-paths.ts';
import { pipelineCrumbs } from './crumbs.ts';
import { assertMayWrite } from './may-write.ts';
import { newBuildBody, newBuildTexts } from './new-build-texts.ts';
import type { PageCall, PageContent, PageHandler } from './page-call.ts';
import { problemsOf, type Problems } from './problems.ts';

/** The address may say what the form begins with: `?branch=main&commit=…&message=…`. */
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
