/**
 * The content of the screens: organization acme at noon on 20 November 2026, with a build of every
 * kind. Names are as long, wide and hostile as in real projects.
 */
import { annotations } from './scene/annotations.ts';
import { builds } from './scene/builds.ts';
import { localRoutes } from './scene/local.ts';
import { environment, logs } from './scene/logs.ts';
import { emojis, metrics, organizations, rules, token } from './scene/others.ts';
import type { Route } from './scene/service.ts';

/** The time at which every command runs. */
export const noon = Date.parse('2026-11-20T12:00:00Z');

const acme = '/v2/organizations/acme';
const build = `${acme}/pipelines/(\\w+)/builds/(\\d+)`;
const job = `${build}/jobs/([\\w-]+)`;

/** Maps method and path to a response; the first match counts. */
export const routes: readonly Route[] = [
  ['GET /v2(?:/organizations/acme)?(?:/pipelines/(\\w+))?/builds', (found) => builds.list(found)],
  [`GET ${build}`, (found) => builds.one(found)],
  [`GET ${build}/annotations`, ({ parts: [, number] }) => annotations(number)],
  [`POST ${build}/annotations`, () => annotations('141')[0]],
  [`POST ${acme}/pipelines/web/builds`, () => builds.created],
  [`PUT ${build}/cancel`, () => builds.canceled],
  [`PUT ${build}/rebuild`, () => builds.created],
  [`GET ${job}/log.txt`, ({ parts: [, , id] }) => logs.text(id)],
  [`GET ${job}/log`, ({ parts: [, , id] }) => logs.whole(id)],
  [`DELETE ${job}/log`, () => null],
  [`GET ${job}/env`, () => ({ env: environment })],
  [`PUT ${job}/retry`, ({ parts: [, , id] }) => ({ ...builds.job(id), state: 'scheduled' })],
  [`PUT ${job}/unblock`, ({ parts: [, , id] }) => ({ ...builds.job(id), state: 'unblocked' })],
  [`GET ${acme}/rules`, () => rules],
  [`POST ${acme}/rules`, () => rules[0]],
  [`GET ${acme}/rules/[\\w-]+`, () => rules[0]],
  [`DELETE ${acme}/rules/[\\w-]+`, () => null],
  [`GET ${acme}/emojis`, () => emojis],
  ['GET /v2/organizations', () => organizations],
  [`GET ${acme}`, () => organizations[0]],
  ['GET /v2/access-token', () => token],
  ['DELETE /v2/access-token', () => null],
  ['GET /v2/user', () => builds.ada],
  ['GET /v3/metrics', () => metrics],
  ...localRoutes,
  ['POST /v1', () => ({ data: { viewer: { user: { name: 'Ada Lovelace', builds: null } } } })],
];
