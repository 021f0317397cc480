import { type Build, creatorOf, memberText, pullRequestOf } from '../../api/resources/build.ts';
import { Facts, textFact, type Fact } from '../facts.tsx';
import { Plain } from '../text.tsx';
import type { BuildView } from './build-view.ts';

/** Branch, commit, who and why. */
export const BuildFacts = ({ view }: { readonly view: BuildView }) => (
  <Facts facts={factsOf(view)} />
);

const factsOf = (view: BuildView): readonly Fact[] => [
  ...textFact('Branch', view.build.branch),
  ...textFact('Tag', view.build.tag),
  ...commitFact(view.build),
  ...textFact('By', creatorOf(view.build)),
  ...textFact('Source', view.build.source),
  ...textFact('Pull request', pullRequestOf(view.build)),
  ...rebuiltFact(view),
  ...triggerFact(view),
  ...textFact('Canceled', view.build.cancel_reason),
];

function commitFact({ commit }: Build): readonly Fact[] {
  if (!commit) return [];
  const isHash = /^[0-9a-f]{40,}$/.test(commit);
  const shown = isHash ? <Hash hash={commit} /> : <Plain text={commit} />;
  return [['Commit', <code>{shown}</code>]];
}

const Hash = ({ hash }: { readonly hash: string }) => <span title={hash}>{hash.slice(0, 10)}</span>;

function rebuiltFact({ build, context }: BuildView): readonly Fact[] {
  const number = memberText(build.rebuilt_from, 'number');
  if (number === undefined) return [];
  const href = context.link(build.web_url)?.replace(/\d+$/, number);
  return [['Rebuilt from', <a href={href}>#{number}</a>]];
}

/** The build of another pipeline: its address is that of this one with other names. */
function triggerFact({ build, context }: BuildView): readonly Fact[] {
  const number = memberText(build.triggered_from, 'build_number');
  if (number === undefined) return [];
  const slug = memberText(build.triggered_from, 'build_pipeline_slug') ?? '';
  const href = context
    .link(build.web_url)
    ?.replace(/[^/]+\/builds\/\d+$/, `${encodeURIComponent(slug)}/builds/${number}`);
  const link = (
    <a href={href}>
      <Plain text={slug} /> #{number}
    </a>
  );
  return [['Triggered by', link]];
}
