import { FormToken } from '../elements.tsx';
import type { PageContext } from '../page-document.tsx';

export interface NewBuildTexts {
  readonly branch: string;
  readonly commit: string;
  readonly message: string;
  /** One `NAME=VALUE` per line */
  readonly env: string;
  readonly metaData: string;
  readonly cleanCheckout: boolean;
  readonly ignoreBranchFilters: boolean;
}

export const NewBuildForm = ({
  action,
  context,
  texts,
  problems,
}: {
  readonly action: string;
  readonly context: PageContext;
  readonly texts: NewBuildTexts;
  readonly problems: readonly string[];
}) => (
  <form class="form" method="post" action={action}>
    <Problems problems={problems} />
    <FormToken context={context} />
    <Line name="branch" label="Branch" value={texts.branch} />
    <Line name="commit" label="Commit" value={texts.commit} hint="A commit, a tag, or HEAD" />
    <Lines name="message" label="Message" value={texts.message} />
    <Lines name="env" label="Environment" value={texts.env} hint="NAME=VALUE, one per line" />
    <Lines
      name="meta_data"
      label="Meta-data"
      value={texts.metaData}
      hint="KEY=VALUE, one per line"
    />
    <Check name="clean_checkout" label="Clean checkout" checked={texts.cleanCheckout} />
    <Check
      name="ignore_pipeline_branch_filters"
      label="Ignore the pipeline’s branch filters"
      checked={texts.ignoreBranchFilters}
    />
    <p>
      <button class="primary">Create build</button>
    </p>
  </form>
);

export const Problems = ({ problems }: { readonly problems: readonly string[] }) =>
  problems.length === 0 ? null : (
    <div class="notice bad problem" role="alert">
      {problems.map((problem) => (
        <p>{problem}</p>
      ))}
    </div>
  );

interface Control {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
}

const Line = ({ name, label, value, hint }: Control) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input id={name} name={name} value={value} required aria-describedby={hintId(name, hint)} />
    <Hint {...{ name, hint }} />
  </div>
);

/** HTML ignores a newline right after `<textarea>`, so an extra one is added. */
const Lines = ({ name, label, value, hint }: Control) => (
  <div class="field">
    <label for={name}>{label}</label>
    <textarea id={name} name={name} rows={3} aria-describedby={hintId(name, hint)}>
      {`\n${value}`}
    </textarea>
    <Hint {...{ name, hint }} />
  </div>
);

const Hint = ({ name, hint }: { readonly name: string; readonly hint: string | undefined }) =>
  hint === undefined ? null : (
    <p class="hint quiet" id={hintId(name, hint)}>
      {hint}
    </p>
  );

const hintId = (name: string, hint?: string): string | undefined =>
  hint === undefined ? undefined : `${name}-hint`;

const Check = ({ name, label, checked }: { name: string; label: string; checked: boolean }) => (
  <p>
    <label>
      <input type="checkbox" name={name} checked={checked} /> {label}
    </label>
  </p>
);
