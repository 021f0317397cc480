/** The query parameters of the three build lists (specification, "Builds"). */
import type { BuildFilters } from '../store/build-filters.ts';
import { instant, pairs, texts } from './query-parameters.ts';

/** Throws `ApiError` 422 for a time that is none; unknown parameters are left alone. */
export function readBuildFilters(query: URLSearchParams): BuildFilters {
  const metaData = pairs(query, 'meta_data');
  return withoutUndefined({
    branches: texts(query, 'branch'),
    commits: texts(query, 'commit'),
    states: texts(query, 'state'),
    creatorId: query.get('creator') || undefined,
    createdFrom: instant(query, 'created_from'),
    createdTo: instant(query, 'created_to'),
    finishedFrom: instant(query, 'finished_from'),
    metaData: metaData.length > 0 ? metaData : undefined,
  });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const withoutUndefined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<T>;
