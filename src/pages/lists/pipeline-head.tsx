import type { Pipeline } from '../../api/resources/pipeline.ts';
import type { PageContext } from '../page-context.ts';
import { Plain, Prose } from '../text.tsx';

/** What a pipeline is, and what can be done with it. `path`: of its page. */
export const PipelineHead = ({
  pipeline: { name, description, repository, default_branch },
  path,
  context,
}: {
  readonly pipeline: Pipeline;
  readonly path: string;
  readonly context: PageContext;
}) => (
  <header class="head">
    <div class="what">
      <h1>
        <Plain text={name ?? ''} />
      </h1>
      {description && (
        <p>
          <Prose text={description} />
        </p>
      )}
      <p class="quiet small">
        {repository && <Plain text={repository} />}
        {repository && default_branch && ', '}
        {default_branch && (
          <>
            branch <Plain text={default_branch} />
          </>
        )}
      </p>
    </div>
    <nav class="actions" aria-label="What can be done">
      <a href={`${path}/stats`}>Statistics</a>
      {context.formToken !== undefined && (
        <a class="button" href={`${path}/builds/new`}>
          New build
        </a>
      )}
    </nav>
  </header>
);
