/** The form of a step that blocks: what it sent, and itself again where that was refused. */
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import { FormToken } from '../../pages/form-token.tsx';
import { Problems } from '../../pages/lists/new-build-form.tsx';
import {
  controlName,
  UnblockFields,
  type FieldTexts,
  type UnblockField,
} from '../../pages/lists/unblock-fields.tsx';
import { Prose } from '../../pages/text.tsx';
import { ApiError } from '../http/api-error.ts';
import { buildPath, webBuild } from './api-paths.ts';
import { pipelineCrumbs } from './crumbs.ts';
import type { PageCall, PageContent } from './page-call.ts';
import { linesText } from './pair-lines.ts';
import type { Problems as Refused } from './problems.ts';

export interface GivenFields {
  readonly job: Job;
  /** For the API. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
}

/** What was typed into the fields of the step. Throws `ApiError` 404. */
export async function givenFields({ api, params, form }: PageCall): Promise<GivenFields> {
  const { jobs } = (await api.request('GET', buildPath(params))) as Build;
  const job = jobs?.find(({ id }) => id === params['job']);
  if (job === undefined) throw new ApiError(404, 'No job found');
  const given = fieldsOf(job).flatMap((field) => {
    const value = valueOf(field, form);
    return value === undefined ? [] : [[field.key, value] as const];
  });
  return { job, fields: Object.fromEntries(given) };
}

/** The form with what was typed, and why it was refused. */
export const unblockPage = (
  { params, form, context }: PageCall,
  job: Job,
  { status, problems }: Refused,
): PageContent => ({
  status,
  title: `Unblock ${job.label ?? ''}`,
  crumbs: pipelineCrumbs(params, { text: `#${params['number'] ?? ''}`, href: webBuild(params) }),
  body: (
    <>
      <h1>
        <Prose text={job.label ?? ''} />
      </h1>
      <form class="form" method="post" action={`${webBuild(params)}/jobs/${job.id ?? ''}/unblock`}>
        {job.prompt && (
          <p>
            <Prose text={job.prompt} />
          </p>
        )}
        <Problems problems={problems} />
        <FormToken context={context} />
        <UnblockFields id="field" fields={fieldsOf(job)} values={typedOf(job, form)} />
        <p class="actions">
          <button class="primary">Unblock</button>
          <a href={webBuild(params)}>Back to the build</a>
        </p>
      </form>
    </>
  ),
});

const typedOf = (job: Job, form: URLSearchParams): FieldTexts =>
  Object.fromEntries(
    fieldsOf(job)
      .filter((field) => valueOf(field, form) !== undefined)
      .map(({ key }) => [key, textsOf(key, form)]),
  );

/**
 * Several may be none at all, which browsers do not send; what else is not sent or chosen has its default.
 * Browsers send texts that nobody typed: such a one has no format.
 */
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
