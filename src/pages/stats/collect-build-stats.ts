import { collectStats, type StatsCollector } from '../../stats/collect.ts';
import { timelineOf } from '../timeline/timeline.ts';

/** Collects with the critical path that the page of a build shows. */
export const collectBuildStats = (): StatsCollector =>
  collectStats((jobs, now) => timelineOf(jobs, now).jobs);
