import type { BuildView } from './build-view.ts';

/** What can be done with the build; nothing where nothing can be changed. */
export const BuildButtons = ({ view: { build, context, path } }: { readonly view: BuildView }) => {
  if (context.formToken === undefined || path === undefined) return null;
  const token = <input type="hidden" name="form_token" value={context.formToken} />;
  return (
    <div class="buttons">
      {isOpen.has(build.state ?? '') && (
        <form method="post" action={`${path}/cancel`}>
          {token}
          <button>Cancel</button>
        </form>
      )}
      <form method="post" action={`${path}/rebuild`}>
        {token}
        <button>Rebuild</button>
      </form>
    </div>
  );
};

/** Specification, "States and transitions": what can be canceled. */
const isOpen: ReadonlySet<string> = new Set(['scheduled', 'running', 'failing']);
