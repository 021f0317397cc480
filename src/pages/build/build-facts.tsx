import type { Child } from 'hono/jsx';
import type { Build } from '../../api/resources/build.ts';
import { Plain } from '../text.tsx';
import type { BuildView } from './build-view.ts';

/** Branch, commit, who and why: in one line that wraps. */
export const BuildFacts = ({ view }: { readonly view: BuildView }) => (
  <dl class="facts">
    {factsOf(view).map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

type Fact = readonly [name: string, value: Child];

function factsOf(view: BuildView): readonly Fact[] {
  const { build } = view;
  return [
    ...text('Branch', build.branch),
    ...text('Tag', build.tag),
    ...commit(build),
    ...text('By', build.creator?.name ?? authorOf(build)),
    ...text('Source', build.source),
    ...request(build),
    ...origins(view),
    ...text('Canceled', build.cancel_reason),
  ];
}

const text = (name: string, value: string | null | undefined): readonly Fact[] =>
  value ? [[name, <Plain text={value} />]] : [];

const commit = ({ commit: hash }: Build): readonly Fact[] =>
  hash
    ? [
        [
          'Commit',
          <code>
            {/^[0-9a-f]{40,}$/.test(hash) ? <Hash hash={hash} /> : <Plain text={hash} />}
          </code>,
        ],
      ]
    : [];

const Hash = ({ hash }: { readonly hash: string }) => <span title={hash}>{hash.slice(0, 10)}</span>;

const authorOf = ({ author }: Build): string | undefined => textIn(author, 'name');

const request = ({ pull_request: request }: Build): readonly Fact[] =>
  text('Pull request', textIn(request, 'id'));

/** The builds that it comes from. */
function origins({ build, context }: BuildView): readonly Fact[] {
  const number = textIn(build.rebuilt_from, 'number');
  const from = textIn(build.triggered_from, 'build_number');
  const slug = textIn(build.triggered_from, 'build_pipeline_slug');
  const beside = context.link(build.web_url)?.replace(/\d+$/, number ?? '');
  return [
    ...(number === undefined ? [] : [['Rebuilt from', <a href={beside}>#{number}</a>] as const]),
    ...(from === undefined
      ? []
      : [
          [
            'Triggered by',
            <a href={otherPipeline(context.link(build.web_url), slug ?? '', from)}>
              <Plain text={slug ?? ''} /> #{from}
            </a>,
          ] as const,
        ]),
  ];
}

const otherPipeline = (own: string | undefined, slug: string, number: string): string | undefined =>
  own?.replace(/[^/]+\/builds\/\d+$/, `${encodeURIComponent(slug)}/builds/${number}`);

function textIn(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || !(name in value)) return undefined;
  const found: unknown = (value as Readonly<Record<string, unknown>>)[name];
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}
