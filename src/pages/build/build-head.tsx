import type { Build } from '../../api/resources/build.ts';
import { durationOf } from '../../api/resources/duration.ts';
import { duration } from '../../render/time.ts';
import { State } from '../state.tsx';
import { Prose } from '../text.tsx';
import { Ago } from './ago.tsx';
import { BuildButtons } from './build-buttons.tsx';
import type { BuildView } from './build-view.ts';
import { BuildFacts } from './build-facts.tsx';
import { ForAttention } from './for-attention.tsx';

/** State, message, and what else one wants to know of a build before its jobs. */
export const BuildHead = ({ view }: { readonly view: BuildView }) => {
  const { build, context } = view;
  const [title = '', ...rest] = (build.message ?? '').trim().split('\n');
  return (
    <header>
      <div class="build-title">
        <h1>{title === '' ? `Build ${build.number ?? ''}` : <Prose text={title} />}</h1>
        <BuildButtons view={view} />
      </div>
      <Message text={rest.join('\n').trim()} />
      <p class="build-standing line">
        <State state={build.state ?? ''} marks={build} />
        <Took build={build} now={context.now} />
        <span class="quiet">
          <Ago time={build.created_at} context={context} />
        </span>
      </p>
      <BuildFacts view={view} />
      <ForAttention view={view} />
    </header>
  );
};

const Message = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <details>
      <summary>The whole message</summary>
      {text.split('\n').map((line) => (
        <p>
          <Prose text={line} />
        </p>
      ))}
    </details>
  );

/** A build that waits for a person counts as finished, yet goes on. */
const Took = ({ build, now }: { readonly build: Build; readonly now: number }) => {
  const seconds = durationOf(build, now);
  if (seconds === null) return null;
  return (
    <span>
      {build.finished_at ? 'in' : 'for'} {duration(seconds * 1000)}
    </span>
  );
};
