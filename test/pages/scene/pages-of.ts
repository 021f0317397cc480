import type { Scene } from './scene.ts';

/** The pages of the scene by name. */
export async function pagesOf(scene: Scene): Promise<Readonly<Record<string, string>>> {
  const failed = await scene.jobId('web/1', 'unit', 'failed');
  const flaky = await scene.jobId('web/1', 'e2e');
  const running = await scene.jobId('web/3', 'integration');
  const agents = await scene.api.send<{ id: string }[]>('GET', '/v2/organizations/local/agents');
  return {
    home: '/',
    organization: '/local',
    pipeline: '/local/api',
    builds: '/local/api/builds?state=failed&branch=main',
    'no-builds': '/local/api/builds?branch=none',
    'new-build': '/local/api/builds/new',
    stats: '/local/api/stats',
    'build-failed': '/local/web/builds/1',
    'build-blocked': '/local/web/builds/2',
    'build-running': '/local/web/builds/3',
    'build-waiting': '/local/gpu/builds/1',
    'job-failed': `/local/web/builds/1/jobs/${failed}`,
    'job-retried': `/local/web/builds/1/jobs/${flaky}`,
    'job-running': `/local/web/builds/3/jobs/${running}`,
    agent: `/organizations/local/agents/${agents[0]?.id ?? ''}`,
  };
}
