import type { Job } from '../../api/resources/job.ts';
import { FormToken, Prose } from '../elements.tsx';
import type { BuildView } from './build-view.ts';
import { cleanLine } from '../../common/untrusted-text.ts';

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

/** Only the local service sends fields in this format, and only its pages have forms. */
const fieldsOf = ({ fields }: Job): readonly UnblockField[] =>
  Array.isArray(fields) ? (fields as readonly UnblockField[]) : [];

export interface UnblockField {
  readonly key: string;
  readonly kind: 'text' | 'select';
  readonly label: string | null;
  readonly hint: string | null;
  readonly format: string | null;
  readonly required: boolean;
  readonly multiple: boolean;
  readonly default: string | readonly string[] | null;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

export type FieldTexts = Readonly<Record<string, readonly string[]>>;

/** Without the prefix, a field's key could collide with other controls, such as `form_token`. */
export const controlName = (key: string): string => `field:${key}`;

/** `values` replaces the defaults when a form is shown again. `id` is a prefix for element IDs. */
export const UnblockFields = ({
  id,
  fields,
  values = {},
}: {
  readonly id: string;
  readonly fields: readonly UnblockField[];
  readonly values?: FieldTexts | undefined;
}) => (
  <>
    {fields.map((field, index) => (
      <Field {...{ field, id: `${id}-${index}`, texts: textsOf(field, values) }} />
    ))}
  </>
);

interface FieldProps {
  readonly field: UnblockField;
  readonly id: string;
  readonly texts: readonly string[];
}

const Field = (props: FieldProps) => {
  const { field, id } = props;
  return (
    <div class="field">
      <label for={id}>
        <Prose text={field.label ?? field.key} />
        {!field.required && <span class="quiet"> (optional)</span>}
      </label>
      {field.kind === 'select' ? <Choice {...props} /> : <Text {...props} />}
      {field.hint && (
        <p class="hint quiet" id={`${id}-hint`}>
          <Prose text={field.hint} />
        </p>
      )}
    </div>
  );
};

const Text = ({ field, id, texts }: FieldProps) => {
  const text = texts.join('\n');
  if (!text.includes('\n')) return <input type="text" {...common(field, id)} value={text} />;
  // HTML ignores a newline right after `<textarea>`, so an extra one is added.
  return (
    <textarea {...common(field, id)} rows={4}>
      {`\n${text}`}
    </textarea>
  );
};

const Choice = ({ field, id, texts }: FieldProps) => {
  const { multiple, options } = field;
  const size = multiple ? Math.min(Math.max(options.length, 2), 8) : undefined;
  return (
    <select {...common(field, id)} multiple={multiple} size={size}>
      {!multiple && field.default === null && <option value="" />}
      {options.map(({ label, value }) => (
        <option value={value} selected={texts.includes(value)}>
          {cleanLine(label)}
        </option>
      ))}
    </select>
  );
};

const common = (field: UnblockField, id: string) => ({
  ...{ id, name: controlName(field.key), required: field.required },
  'aria-describedby': field.hint ? `${id}-hint` : undefined,
});

function textsOf({ key, default: usual }: UnblockField, values: FieldTexts): readonly string[] {
  if (Object.hasOwn(values, key)) return values[key] ?? [];
  return usual === null ? [] : typeof usual === 'string' ? [usual] : usual;
}
