import type { Job } from '../../api/resources/job.ts';
import { FormToken } from '../form-token.tsx';
import { UnblockFields, type UnblockField } from '../lists/unblock-fields.tsx';
import { Prose } from '../text.tsx';
import type { BuildView } from './build-view.ts';

/** What a step that blocks asks, and the button that lets the build go on. */
export const UnblockForm = ({
  view,
  job,
}: {
  readonly view: Pick<BuildView, 'context' | 'path'>;
  readonly job: Job;
}) => {
  const { context, path } = view;
  if (job.type !== 'manual' || job.unblockable !== true) return null;
  return (
    <div class="block">
      {job.prompt && (
        <p>
          <Prose text={job.prompt} />
        </p>
      )}
      {context.formToken !== undefined && path !== undefined && (
        <form class="form" method="post" action={`${path}/jobs/${job.id ?? ''}/unblock`}>
          <FormToken context={context} />
          <UnblockFields id={`field-${job.id ?? ''}`} fields={fieldsOf(job)} />
          <button class="primary">Unblock</button>
        </form>
      )}
    </div>
  );
};

/** As the service of these pages has them; a report of another service has no form. */
const fieldsOf = ({ fields }: Job): readonly UnblockField[] =>
  Array.isArray(fields) ? (fields as readonly UnblockField[]) : [];
