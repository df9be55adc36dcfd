import { mock } from 'node:test';

/** Loads modules that look at the platform when they are loaded, such as VS Code's own URIs, as another one has them. */
export async function onPlatform<T>(platform: NodeJS.Platform, load: () => Promise<T>): Promise<T> {
  const mocked = mock.property(process, 'platform', platform);
  try {
    return await load();
  } finally {
    mocked.mock.restore();
  }
}
