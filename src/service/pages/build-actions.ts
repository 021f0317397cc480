/** What the buttons of builds and jobs do. */
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import { buildPath, jobPath, webBuild, webPipeline } from './api-paths.ts';
import { assertMayWrite } from './may-write.ts';
import type { PageCall, PageHandler } from './page-call.ts';
import { refusedPage } from './refused-page.tsx';
import { givenFields, unblockPage } from './unblock-page.tsx';
import { problemsOf } from './problems.ts';

export const cancelBuild: PageHandler = (call) =>
  changed(call, async () => {
    await call.api.request('PUT', `${buildPath(call.params)}/cancel`);
    return webBuild(call.params);
  });

/** Leads to the new build. */
export const rebuildBuild: PageHandler = (call) =>
  changed(call, async () => {
    const build = (await call.api.request('PUT', `${buildPath(call.params)}/rebuild`)) as Build;
    return `${webPipeline(call.params)}/builds/${build.number ?? ''}`;
  });

/** Leads to the new job: to its page from that of the old one, else to its place in the build. */
export const retryJob: PageHandler = (call) =>
  changed(call, async () => {
    const job = (await call.api.request('PUT', `${jobPath(call.params)}/retry`)) as Job;
    const between = call.form.get('from') === 'job' ? '/jobs/' : '#';
    return `${webBuild(call.params)}${between}${job.id ?? ''}`;
  });

/** What was typed stays where it is refused. */
export const unblockJob: PageHandler = async (call) => {
  assertMayWrite(call);
  const { api, params } = call;
  const { job, fields } = await givenFields(call);
  try {
    await api.request('PUT', `${jobPath(params)}/unblock`, { fields });
    return { location: `${webBuild(params)}#${encodeURIComponent(params['job'] ?? '')}` };
  } catch (error) {
    return unblockPage(call, job, problemsOf(error));
  }
};

/** `change` gives the address to go on to; what is refused is a page that says why. */
async function changed(call: PageCall, change: () => Promise<string>) {
  assertMayWrite(call);
  try {
    return { location: await change() };
  } catch (error) {
    return refusedPage(call, problemsOf(error));
  }
}
