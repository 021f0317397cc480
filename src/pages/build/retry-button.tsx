import { type Job, partOfParallel } from '../../api/resources/job.ts';
import { cleanLine } from '../../common/untrusted-text.ts';
import { FormToken } from '../form-token.tsx';
import type { BuildView } from './build-view.ts';
import { nameOf } from './name-of.ts';

/** Runs a job of the list again, where that may be. */
export const RetryButton = ({ view, job }: { readonly view: BuildView; readonly job: Job }) => {
  const { context, path } = view;
  if (context.formToken === undefined || path === undefined || job.retryable !== true) return null;
  const name = [nameOf(job), partOfParallel(job)].filter(Boolean).join(' ');
  return (
    <button
      form={formId}
      formaction={`${path}/jobs/${job.id ?? ''}/retry`}
      aria-label={`Retry ${cleanLine(name)}`}
    >
      Retry
    </button>
  );
};

/** One form for the buttons of all rows: each says where it is sent. */
export const RetryForm = ({ view: { context, path } }: { readonly view: BuildView }) =>
  context.formToken !== undefined && path !== undefined ? (
    <form id={formId} method="post">
      <FormToken context={context} />
    </form>
  ) : null;

const formId = 'retry';
