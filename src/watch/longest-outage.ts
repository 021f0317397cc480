import { isBuiltInAddress } from '../config/built-in.ts';
import type { Context } from '../context.ts';

/**
 * Milliseconds for which a service that is watched may stay out of reach: half an hour; seconds for
 * the built-in one, which is gone with its process and seldom comes back. Ask while it is there.
 */
export const longestOutage = ({ settings, env }: Pick<Context, 'settings' | 'env'>): number =>
  isBuiltInAddress(settings, env) ? 5000 : 30 * 60_000;
