import type { Settings } from './settings.ts';

/** Whether the profile is that of the built-in service, and its address was not changed. */
export const isBuiltInProfile = ({ baseUrl, sources }: Settings): boolean =>
  sources['baseUrl'] === 'profile local' && new URL(baseUrl).hostname === '127.0.0.1';
