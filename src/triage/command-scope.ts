import type { BuildRef } from '../api/refs.ts';
import { quoted } from './quoted.ts';

/** What the user named to select the service, and a suggested command must repeat. */
export interface CommandScope {
  /** The organization that is known without being named. */
  readonly org: string | undefined;
  /** Named by a flag. */
  readonly profile: string | undefined;
}

/** `web/7`, or `acme/web/7` where the organization must be named. */
export const scopedBuild = ({ org, pipeline, number }: BuildRef, scope: CommandScope): string =>
  org === scope.org ? `${pipeline}/${number}` : `${org}/${pipeline}/${number}`;

/** A command line that works as it is printed. */
export const scopedCommand = (command: string, { profile }: CommandScope): string =>
  profile === undefined ? command : `${command} --profile ${quoted(profile)}`;
