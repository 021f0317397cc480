import type { BuildRef } from '../api/refs.ts';
import { isFromFlag } from '../config/setting-origins.ts';
import type { Context } from '../context.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';

export interface CommandScope {
  /** The organization that commands use by default */
  readonly org: string | undefined;
  /** The profile that a flag sets, if any */
  readonly profile: string | undefined;
}

/** The user's next command has the same environment and current profile, but not the same flags. */
export const commandScope = (settings: Context['settings']): CommandScope => ({
  org: isFromFlag(settings, 'org') ? undefined : settings.org,
  profile: isFromFlag(settings, 'profile') ? settings.profile : undefined,
});

/** For example, `web/7`, or `acme/web/7` if commands need the organization */
export const scopedBuild = ({ org, pipeline, number }: BuildRef, scope: CommandScope): string =>
  org === scope.org ? `${pipeline}/${number}` : `${org}/${pipeline}/${number}`;

export const scopedCommand = (command: string, { profile }: CommandScope): string =>
  profile === undefined ? command : `${command} --profile ${quoted(profile)}`;

const quoted = (word: string): string =>
  /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** What to type after `#` for a job: the step key if it is unique, otherwise the ID. */
export function typedJob({ step_key: key, id }: Job, { jobs }: Build): string | undefined {
  const isUnique = (jobs ?? []).filter(({ step_key: other }) => other === key).length === 1;
  return key && isUnique && /^[\w.-]+$/.test(key) ? key : (id ?? undefined);
}
