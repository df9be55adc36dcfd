import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { startDemoService, type DemoService } from '../../src/demo/endpoints/demoService.ts';
import type { DemoServiceOptions } from '../../src/demo/endpoints/options.ts';
import { bundleTestExtension, type TestExtension } from '../host/editor/bundleTestExtension.ts';
import type { BuiltIn } from '../host/editor/editor.ts';
import { EditorSession } from '../host/editor/editorSession.ts';
import { projectFolder } from '../support/folders.ts';
import { eventually } from '../support/eventually.ts';
import { LimnerView } from '../host/window/limnerView.ts';
import { screenshotOfStart } from './failureScreenshot.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { Workbench } from '../host/window/workbench.ts';

/** How long the service works on a task, in milliseconds of its own clock. */
export const taskDuration = 100_000;

/** A window on an empty workspace, connected to a demo service whose clock stands still until it is moved. */
export interface DemoServiceSession {
  service: DemoService;
  apiKey: string;
  session: EditorSession;
  workbench: Workbench;
  limner: LimnerView;
  workspace: string;
  dispose: () => Promise<void>;
}

/** Differences of a session from the usual one. */
export interface DemoServiceSessionOptions {
  /** On top of the connection to the service. */
  settings?: Readonly<Record<string, unknown>>;
  /** Folder of the extension; by default that of the project. */
  extension?: string;
  /** Opens the workspace through the file system of an extension: `virtual` or `virtual-readonly`. */
  scheme?: string;
  /** Another extension that is there; by default the one of `scheme`. */
  beside?: TestExtension;
  /** Built-in extensions to load. */
  builtIn?: BuiltIn;
  /** Of the service, whose clock stands still unless this says otherwise. */
  demo?: DemoServiceOptions;
  /** Environment variables for the extension host. */
  env?: NodeJS.ProcessEnv;
  /** Lays out things in the editor's user data before a window opens. */
  prepare?: (given: { userData: string; workspace: string; service: DemoService }) => Promise<void>;
}

/** A request as the demo service remembers it. */
export interface SeenRequest {
  host: 'service' | 'result';
  method: string;
  path: string;
  status?: number;
}

/** All requests that a service got so far, those for images among them. */
export async function requestsTo({ baseUrl }: DemoService): Promise<SeenRequest[]> {
  const answer = await fetch(`${baseUrl}/demo/requests`);
  return v.parse(requestList, await answer.json()).requests;
}

/** Returns the number of requests that may cost something. */
export async function submissionsTo(service: DemoService): Promise<number> {
  return (await requestsTo(service)).filter(({ method }) => method === 'POST').length;
}

/** Has the service answer otherwise than it would, the next time unless the fault says so. */
export async function injectFault({ baseUrl }: DemoService, fault: object): Promise<void> {
  const answer = await fetch(`${baseUrl}/demo/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  assert.equal(answer.status, 200);
}

/** How far the service's time goes in a step, and altogether: its pictures live for 6 hours. In milliseconds. */
const [timeStep, mostTime] = [10_000, 5 * 3_600_000];

/**
 * Lets the service's time pass until something is there: what was asked for may reach the service only when time has
 * moved already.
 */
export async function passTime(
  service: DemoService,
  what: string,
  isThere: () => Promise<boolean>,
): Promise<void> {
  let passed = 0;
  const pass = async (): Promise<boolean> => {
    if (passed < mostTime) {
      await service.advance(timeStep);
      passed += timeStep;
    }
    return isThere();
  };
  await eventually(`${what}, while time passes`, pass, Boolean);
}

const requestList = v.object({
  requests: v.array(
    v.object({
      host: v.picklist(['service', 'result']),
      method: v.string(),
      path: v.string(),
      status: v.exactOptional(v.number()),
    }),
  ),
});

/** Starts service and editor, opens the window with Limner's view and enters the key. */
export async function startDemoServiceSession({
  settings = {},
  extension = projectFolder,
  scheme,
  beside = scheme === undefined ? undefined : 'virtualWorkspace',
  builtIn = 'few',
  demo = {},
  env = {},
  prepare,
}: DemoServiceSessionOptions = {}): Promise<DemoServiceSession> {
  const folder = temporaryFolder('workspace');
  const workspace = join(folder.path, 'website');
  await mkdir(workspace);
  const service = await startDemoService({ clock: 'frozen', taskDuration, ...demo });
  const [apiKey] = service.apiKeys;
  const [model] = service.models;
  if (apiKey === undefined || model === undefined) {
    throw new Error('The demo service has no key or no model.');
  }
  const helper = beside && (await bundleTestExtension(beside));
  const session = await EditorSession.start({
    version: 'newest',
    extension: { folder: extension },
    builtIn,
    ...(helper && { helpers: [helper.path] }),
    settings: {
      'limner.baseUrl': service.baseUrl,
      'limner.models': service.models,
      'limner.model': model.id,
      // Drawn in a fraction of the time.
      'limner.size': '256x256',
      ...settings,
    },
    env,
  });
  const dispose = async (): Promise<void> => {
    await session.dispose();
    await service.dispose();
    helper?.remove();
    folder.remove();
  };
  let workbench: Workbench | undefined;
  try {
    await prepare?.({ userData: session.userDataFolder, workspace, service });
    workbench = await session.open(scheme === undefined ? workspace : `${scheme}:${workspace}`);
    const limner = new LimnerView(workbench);
    await limner.show();
    await limner.setApiKey(apiKey);
    return { service, apiKey, session, workbench, limner, workspace, dispose };
  } catch (error) {
    await (workbench && screenshotOfStart(workbench));
    // A running process would keep the test file from ending.
    await dispose();
    throw error;
  }
}
