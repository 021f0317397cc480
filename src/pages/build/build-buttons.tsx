import type { Build } from '../../api/resources/build.ts';
import { FormToken } from '../form-token.tsx';
import type { BuildView } from './build-view.ts';

/** What can be done with the build; nothing where nothing can be changed. */
export const BuildButtons = ({ view: { build, context, path } }: { readonly view: BuildView }) => {
  if (context.formToken === undefined || path === undefined) return null;
  const token = <FormToken context={context} />;
  return (
    <div class="buttons">
      {isOpen(build) && (
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

/** Specification, "States and transitions": what can be canceled; one that waits for a person keeps its last state. */
const isOpen = ({ blocked, state }: Build): boolean =>
  blocked === true || ['scheduled', 'running', 'failing'].includes(state ?? '');
