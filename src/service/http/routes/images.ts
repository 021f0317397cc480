// Images for pages; they need no credentials.
import type { ServiceContext } from '../../service-context.ts';
import type { Build } from '../../domain/records.ts';
import { bytes, type RouteResponse } from '../response.ts';
import { ApiError, unauthorized } from '../api-error.ts';
import { pictureOf, badgeSvg, emojiSvg, initialsSvg } from '../pictures.ts';
import { open, route, type Route } from '../route.ts';

const forever = 'public, max-age=31536000, immutable';

export const imageRoutes: readonly Route[] = [
  route('GET', '/emojis/:file', open, async ({ params }) => {
    const { standardEmoji } = await import('../standard-emojis.ts');
    const character = standardEmoji(nameOf(params.file) ?? '');
    if (character === undefined) throw new ApiError(404, 'No emoji found');
    return svg(emojiSvg(character), forever);
  }),
  route('GET', '/emojis/:org/:name', open, ({ params }, { store }) => {
    const organization = store.accounts.organization(params.org);
    const emoji = store.emojis
      .list(organization?.id ?? '')
      .find(({ name }) => name === params.name);
    const picture = pictureOf(emoji?.url ?? '');
    if (picture === undefined) throw new ApiError(404, 'No emoji found');
    return image(picture.type, picture.content, 'no-cache');
  }),
  route('GET', '/badges/:file', open, ({ params, query }, service) => {
    const pipeline = service.store.pipelines.byId(nameOf(params.file) ?? '');
    if (pipeline === undefined) throw unauthorized();
    const branch = query.get('branch') ?? pipeline.defaultBranch;
    return svg(badgeSvg(stateOf(service, pipeline.id, branch)), 'no-cache');
  }),
  route('GET', '/avatars/:file', open, ({ params }, { store }) => {
    const user = store.accounts.user(nameOf(params.file) ?? '');
    if (user === undefined) throw unauthorized();
    return svg(initialsSvg(user.name), 'no-cache');
  }),
];

const nameOf = (file: string): string | undefined => /^(.+)\.svg$/.exec(file)?.[1];

function stateOf({ store }: ServiceContext, pipelineId: string, branch: string): string {
  const filters = { pipelineId, branches: [branch] };
  const newest: Build | undefined = store.builds.list(filters, { offset: 0, limit: 1 })[0];
  return newest?.blocked ? 'blocked' : (newest?.state ?? 'unknown');
}

const svg = (content: string, cache: string): RouteResponse =>
  image('image/svg+xml; charset=utf-8', Buffer.from(content), cache);

function image(type: string, content: Uint8Array<ArrayBuffer>, cache: string): RouteResponse {
  const headers = {
    'cache-control': cache,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  };
  return bytes(type, content, { headers });
}
