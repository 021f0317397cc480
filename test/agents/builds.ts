/** Builds of a scene, as the public API shows them. */
import { until } from '../run/processes.ts';

/** What tests read out of the API; there is more. */
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
  /** GET below the organization. */
  readonly get: (path: string) => Promise<Response>;
  readonly build: (number: number, slug?: string) => Promise<Wire>;
  /** The build when it has come to an end. */
  readonly settled: (number: number, slug?: string) => Promise<Wire>;
  /** What the last job of a step has printed, without the marks. */
  readonly log: (number: number, key: string) => Promise<string>;
  /** Resolves when such a job has printed the text. */
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

/** Without the marks of the time and the carriage returns of a terminal. */
const plain = (text: string): string =>
  text.replaceAll(/\x1b_bk;t=\d+\x07/g, '').replaceAll(/\r+\n/g, '\n');
