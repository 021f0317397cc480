import type { Settings } from './settings.ts';

/** Whether a setting was given on this command line: no profile or variable gave it. */
export const isFromFlag = ({ sources }: Pick<Settings, 'sources'>, key: string): boolean =>
  sources[key]?.startsWith('flag ') ?? false;
