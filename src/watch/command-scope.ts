/** What a suggested command has to name, so that it works as it is printed. */
import type { BuildRef } from '../api/refs.ts';
import { isFromFlag } from '../config/setting-origins.ts';
import type { Context } from '../context.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';

export interface CommandScope {
  /** The organization that is known without being named. */
  readonly org: string | undefined;
  /** Named by a flag. */
  readonly profile: string | undefined;
}

/** A flag is not known to the command that is typed next; a profile or a variable is. */
export const commandScope = (settings: Context['settings']): CommandScope => ({
  org: isFromFlag(settings, 'org') ? undefined : settings.org,
  profile: isFromFlag(settings, 'profile') ? settings.profile : undefined,
});

/** `web/7`, or `acme/web/7` where the organization has to be named. */
export const scopedBuild = ({ org, pipeline, number }: BuildRef, scope: CommandScope): string =>
  org === scope.org ? `${pipeline}/${number}` : `${org}/${pipeline}/${number}`;

/** The command line with the profile that it needs; a name that a shell would read otherwise is quoted. */
export const scopedCommand = (command: string, { profile }: CommandScope): string =>
  profile === undefined ? command : `${command} --profile ${quoted(profile)}`;

const quoted = (word: string): string =>
  /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** What is typed for a job behind `#`: its step key where that leads to it alone, else its id. */
export function typedJob({ step_key: key, id }: Job, { jobs }: Build): string | undefined {
  const isUnique = (jobs ?? []).filter(({ step_key: other }) => other === key).length === 1;
  return key && isUnique && /^[\w.-]+$/.test(key) ? key : (id ?? undefined);
}
