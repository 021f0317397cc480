/** Builds of a scene, as read from the public API. */
import { until } from '../run/processes.ts';

/** The members that tests read; responses contain more. */
export interface Wire extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly number: number;
  readonly state: string;
  readonly name: string;
  readonly step_key: string | null;
  readonly exit_status: number | null;
  readonly jobs: readonly Wire[];
  readonly agent: Wire | null;
}

export interface Builds {
  /** Sends a GET with a path below the organization. */
  readonly get: (path: string) => Promise<Response>;
  readonly build: (number: number, slug?: string) => Promise<Wire>;
  /** Resolves to the build once it is settled. */
  readonly settled: (number: number, slug?: string) => Promise<Wire>;
  /** The log of the newest job of a step, without marks. */
  readonly log: (number: number, key: string) => Promise<string>;
  /** Resolves when that job has printed the text. */
  readonly printed: (number: number, key: string, text: string) => Promise<void>;
}

export function readBuilds(url: string, token: string): Builds {
  const headers = { authorization: `Bearer ${token}` };
  const get = (path: string): Promise<Response> =>
    fetch(`${url}/v2/organizations/local${path}`, { headers });
  const build = async (number: number, slug = 'p'): Promise<Wire> => {
    const path = `/pipelines/${slug}/builds/${number}?include_retried_jobs=true`;
    return (await (await get(path)).json()) as Wire;
  };
  const log = async (number: number, key: string): Promise<string> => {
    const job = (await build(number)).jobs.findLast((one) => one.step_key === key);
    const path = `/pipelines/p/builds/${number}/jobs/${job?.id ?? '?'}/log.txt`;
    return plain(await (await get(path)).text());
  };
  return {
    ...{ get, build, log },
    async settled(number, slug) {
      await until(async () => isOver(await build(number, slug)));
      return build(number, slug);
    },
    printed: (number, key, text) => until(async () => (await log(number, key)).includes(text)),
  };
}

const isOver = ({ state }: Wire): boolean => /^(?:passed|failed|canceled|not_run)$/.test(state);

/** Removes time marks and carriage returns. */
const plain = (text: string): string =>
  text.replaceAll(/\x1b_bk;t=\d+\x07/g, '').replaceAll(/\r+\n/g, '\n');
