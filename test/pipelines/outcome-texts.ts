/** The results of a build: artifacts by path, annotations by context, logs by job. */
import { json, type Ask, type Wire } from './ask.ts';

export async function artifactsOf(ask: Ask, path: string): Promise<Record<string, string>> {
  const all = (await json(ask, `${path}/artifacts?per_page=100`)) as Wire[];
  const texts = all.map(async (artifact) => {
    const place = `${path}/jobs/${String(artifact['job_id'])}/artifacts/${artifact.id}/download`;
    return [String(artifact['path']), await (await ask(place)).text()] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

export async function annotationsOf(ask: Ask, path: string): Promise<Record<string, string>> {
  const all = (await json(ask, `${path}/annotations`)) as Wire[];
  return Object.fromEntries(
    all.map(({ context, style, body_html: body }) => [
      String(context),
      `${String(style)}: ${String(body)}`,
    ]),
  );
}

/** Without colors and time marks. */
export async function logsOf(
  ask: Ask,
  path: string,
  jobs: readonly Wire[],
  nameOf: (job: Wire) => string,
) {
  const logs: Record<string, string> = {};
  for (const job of jobs) {
    if (job['raw_log_url'] === null || job['raw_log_url'] === undefined) continue;
    const text = await (await ask(`${path}/jobs/${job.id}/log.txt`)).text();
    logs[nameOf(job)] = `${logs[nameOf(job)] ?? ''}${plain(text)}`;
  }
  return logs;
}

const plain = (text: string): string =>
  text.replace(/\u001b_bk;t=\d+\u0007|\u001b\[[\d;]*[A-Za-z]|\r/g, '');
