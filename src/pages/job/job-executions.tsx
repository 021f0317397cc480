import { State } from '../state.tsx';
import type { JobView } from './job-view.ts';

/** The executions of a job that was retried, each with its page. */
export const JobExecutions = ({ view: { executions, job, path } }: { readonly view: JobView }) =>
  executions.length < 2 ? null : (
    <nav aria-label="Executions">
      <ol class="line executions">
        {executions.map(({ id, state, soft_failed }, index) => (
          <li>
            {id === job.id ? (
              <span aria-current="page">Execution {index + 1}</span>
            ) : (
              <a href={`${path.slice(0, path.lastIndexOf('/') + 1)}${id ?? ''}`}>
                Execution {index + 1}
              </a>
            )}{' '}
            <State state={state ?? ''} marks={{ soft_failed }} />
          </li>
        ))}
      </ol>
    </nav>
  );
