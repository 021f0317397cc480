import {
  type PageResult,
  assertMayWrite,
  type PageCall,
  type PageHandler,
  type PageContent,
} from './page-call.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import { buildPath, jobPath, webBuild, webPipeline, pipelineCrumbs } from './addresses.ts';
import { problemsOf, type Problems as Refused, linesText } from './forms.ts';
import { Problems } from '../../pages/lists/new-build-form.tsx';
import { FormToken, Prose } from '../../pages/elements.tsx';
import {
  controlName,
  UnblockFields,
  type FieldTexts,
  type UnblockField,
} from '../../pages/build/unblock.tsx';
import { ApiError } from '../http/api-error.ts';

export const cancelBuild: PageHandler = (call) =>
  redirectAfter(call, async () => {
    await call.api.request('PUT', `${buildPath(call.params)}/cancel`);
    return webBuild(call.params);
  });

export const rebuildBuild: PageHandler = (call) =>
  redirectAfter(call, async () => {
    const build = (await call.api.request('PUT', `${buildPath(call.params)}/rebuild`)) as Build;
    return `${webPipeline(call.params)}/builds/${build.number ?? ''}`;
  });

export const retryJob: PageHandler = (call) =>
  redirectAfter(call, async () => {
    const job = (await call.api.request('PUT', `${jobPath(call.params)}/retry`)) as Job;
    const between = call.form.get('from') === 'job' ? '/jobs/' : '#';
    return `${webBuild(call.params)}${between}${job.id ?? ''}`;
  });

/** If the API rejects the fields, shows the form again with the submitted values. */
export const unblockJob: PageHandler = async (call) => {
  assertMayWrite(call);
  const { api, params, form } = call;
  const { jobs } = (await api.request('GET', buildPath(params))) as Build;
  const job = jobs?.find(({ id }) => id === params['job']);
  if (job === undefined) throw new ApiError(404, 'No job found');
  const given = fieldsOf(job).flatMap((field) => {
    const value = valueOf(field, form);
    return value === undefined ? [] : [[field.key, value] as const];
  });
  try {
    await api.request('PUT', `${jobPath(params)}/unblock`, { fields: Object.fromEntries(given) });
    return { location: `${webBuild(params)}#${encodeURIComponent(params['job'] ?? '')}` };
  } catch (error) {
    const texts = given.map(([key]) => [key, textsOf(key, form)]);
    return unblockPage(call, job, Object.fromEntries(texts) as FieldTexts, problemsOf(error));
  }
};

/** `change` returns the URL to redirect to. If it fails, shows the error and links to the build. */
async function redirectAfter(call: PageCall, change: () => Promise<string>): Promise<PageResult> {
  assertMayWrite(call);
  try {
    return { location: await change() };
  } catch (error) {
    const { status, problems } = problemsOf(error);
    return {
      ...{ status, title: 'Request rejected', crumbs: buildCrumbs(call) },
      body: (
        <>
          <h1>Request rejected</h1>
          <Problems problems={problems} />
          <p>
            <a href={webBuild(call.params)}>Back to the build</a>
          </p>
        </>
      ),
    };
  }
}

const buildCrumbs = ({ params }: PageCall) =>
  pipelineCrumbs(params, { text: `#${params['number'] ?? ''}`, href: webBuild(params) });

const unblockPage = (
  call: PageCall,
  job: Job,
  values: FieldTexts,
  { status, problems }: Refused,
): PageContent => ({
  ...{ status, title: `Unblock ${job.label ?? ''}`, crumbs: buildCrumbs(call) },
  body: (
    <>
      <h1>
        <Prose text={job.label ?? ''} />
      </h1>
      <form
        class="form"
        method="post"
        action={`${webBuild(call.params)}/jobs/${job.id ?? ''}/unblock`}
      >
        {job.prompt && (
          <p>
            <Prose text={job.prompt} />
          </p>
        )}
        <Problems problems={problems} />
        <FormToken context={call.context} />
        <UnblockFields id="field" fields={fieldsOf(job)} values={values} />
        <p class="actions">
          <button class="primary">Unblock</button>
          <a href={webBuild(call.params)}>Back to the build</a>
        </p>
      </form>
    </>
  ),
});

/** Undefined means the default. Browsers send an empty string if no option is selected. */
function valueOf(
  { key, kind, multiple, format, required, default: usual }: UnblockField,
  form: URLSearchParams,
): string | readonly string[] | undefined {
  const texts = textsOf(key, form);
  if (multiple) return texts;
  const isLeftOut = format !== null && !required && usual === null;
  return texts[0] === '' && (kind === 'select' || isLeftOut) ? undefined : texts[0];
}

const textsOf = (key: string, form: URLSearchParams): string[] =>
  form.getAll(controlName(key)).map(linesText);

const fieldsOf = ({ fields }: Job): readonly UnblockField[] =>
  (fields ?? []) as readonly UnblockField[];
