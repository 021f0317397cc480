import { Plain } from '../text.tsx';
import type { JobView } from './job-view.ts';

/** The files that the job has left. */
export const JobArtifacts = ({ view: { artifacts, path } }: { readonly view: JobView }) =>
  artifacts.length === 0 ? null : (
    <details>
      <summary>{artifacts.length === 1 ? '1 artifact' : `${artifacts.length} artifacts`}</summary>
      <ul class="rows">
        {artifacts.map((artifact) => (
          <li data-row class="line">
            <a href={`${path}/artifacts/${artifact.id ?? ''}`}>
              <Plain text={artifact.path ?? ''} />
            </a>
            <span class="quiet end">{bytesText(artifact.file_size ?? 0)}</span>
          </li>
        ))}
      </ul>
    </details>
  );

/** `512 B`, `3.4 kB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const step = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3) - 1);
  return `${(bytes / 1000 ** (step + 1)).toFixed(1)} ${units[step] ?? ''}`;
}

const units = ['kB', 'MB', 'GB'];
