import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Plan } from '../tools/agentHost.ts';
import type { SetCall, ToolCall } from '../tools/tools.ts';
import { type ConfirmRule, requestsOf } from '../tools/agreement.ts';
import { ellipsize } from '../../common/text.ts';
import { runText } from '../../engine/messages/costText.ts';
import { english, inLanguage, type Language, spokenLanguage } from '../../engine/messages/language.ts';
import { billAhead } from '../../engine/task/spending.ts';
import type { TaskRequest } from '../../engine/task/task.ts';

type Connection = { server: Pick<McpServer['server'], 'getClientCapabilities'> };
type Call = { mcpReq: Pick<ServerContext['mcpReq'], 'envelope'> };

/** Whether a client can show a form to the user. One that only declares the capability can. */
export function canAsk(server: Connection, call: Call): boolean {
  const elicitation = declared(server, call, 'elicitation');
  return (
    typeof elicitation === 'object' &&
    elicitation !== null &&
    ('form' in elicitation || !('url' in elicitation))
  );
}

/** Returns the name of a client, in lower and upper case as it gives it; empty if it gives none. */
export function clientOf(
  { server }: { server: Pick<McpServer['server'], 'getClientVersion'> },
  { mcpReq }: { mcpReq: Pick<ServerContext['mcpReq'], 'envelope'> },
): string {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const info = envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  return typeof info === 'object' && info !== null && 'name' in info ? String(info.name) : '';
}

/** Whether a client says which folders it has open. */
export function namesRoots(server: Connection, call: Call): boolean {
  return declared(server, call, 'roots') !== undefined;
}

/** Returns what a client declares of a capability: with the call, or at the start. */
function declared({ server }: Connection, { mcpReq }: Call, name: string): unknown {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const all = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return typeof all === 'object' ? new Map<string, unknown>(Object.entries({ ...all })).get(name) : undefined;
}

/** Says what to do if a call needs the user's consent and the client can't ask for it. */
export function cannotAsk(plan: Plan, rule: ConfirmRule): string {
  return `This call needs the user's agreement, and this client can't ask for it.\nCost: none. Nothing was sent.\nWhat to do: ${stepWithoutQuestion(plan, rule)}`;
}

/** Says what to do if a client closed the question without an answer, as unattended clients do. */
export function unanswered(plan: Plan, rule: ConfirmRule): string {
  return `This call needs the user's agreement, and the question was closed without an answer.\nCost: none. Nothing was sent.\nWhat to do: ask the user, and call the tool again. If this client never shows the question, ${stepWithoutQuestion(plan, rule)}`;
}

/** Says that a call was declined. Programs that run unattended decline by themselves. */
export function declined(plan: Plan, rule: ConfirmRule): string {
  return `The user declined, or this client shows no questions.\nCost: none. Nothing was sent.\nWhat to do: don't call the tool again unless the user asks for it. If nobody saw a question, ${stepWithoutQuestion(plan, rule)}`;
}

function stepWithoutQuestion({ replaces }: Plan, { when, above }: ConfirmRule): string {
  if (replaces) {
    return 'choose a path where no file is.';
  }
  return when === 'above' && above > 0
    ? `make at most ${above} images in one call.`
    : 'tell the user that LIMNER_AGENTS_CONFIRM=above in the environment of this server leaves it to the client to approve calls.';
}

/** Returns a digest of the question: an answer applies only to the call that was shown. */
export function keyOf(plan: Plan): string {
  return `agree-${createHash('sha256').update(messageOf(plan)).digest('hex').slice(0, 16)}`;
}

/** @param language that of the user, who reads it */
export function questionOf(
  plan: Plan,
  language: Language = english,
): Parameters<typeof inputRequired.elicit>[0] {
  const message = inLanguage(language, () => messageOf(plan));
  return { message, requestedSchema: { type: 'object', properties: {} } };
}

/**
 * Returns the question. What the call does and costs comes first, so that text from the agent can't push it out of
 * sight.
 */
function messageOf(plan: Plan): string {
  const { call, path, images, replaces, request } = plan;
  return [
    ...(images > 0
      ? [
          images === 1
            ? l10n.t('Generate 1 image with Limner?')
            : l10n.t('Generate {0} images with Limner?', images),
        ]
      : []),
    ...(replaces ? [l10n.t('This replaces a file. Limner keeps its current contents for 30 days.')] : []),
    ...(request
      ? [
          runText(billAhead(requestsOf(plan), spokenLanguage().tag), new URL(request.baseUrl).host),
          l10n.t('Model: {0}', inOneLine(request.model)),
        ]
      : []),
    ...sizeLines(call.input, request),
    ...(request?.quality === undefined ? [] : [l10n.t('Quality: {0}', inOneLine(request.quality))]),
    ...(request?.style ? [l10n.t('Style: {0}', inOneLine(request.style.name))] : []),
    ...(call.tool === 'limner_generate_set'
      ? partLines(plan, call)
      : [l10n.t('File: {0}', inOneLine(path)), ...inputLines(call.input)]),
  ].join('\n');
}

/** Says which size the file gets and, if it differs, which size the service is asked for. */
function sizeLines(input: Plan['call']['input'], request: TaskRequest | undefined): string[] {
  const size = 'size' in input ? input.size : undefined;
  const sent = request?.size;
  if (size !== undefined && sent !== undefined && sent !== size) {
    return [l10n.t('Size: {0}, sent as {1}', inOneLine(size), inOneLine(sent))];
  }
  const only = size ?? sent;
  return only === undefined ? [] : [l10n.t('Size: {0}', inOneLine(only))];
}

/** Lists the images of a set that would be made, each on one line. */
function partLines({ parts = [] }: Plan, { input }: SetCall): string[] {
  return input.images
    .filter((_, index) => (parts[index]?.images ?? 0) > 0)
    .map(({ path, prompt }) => `${inOneLine(path)}: ${inOneLine(prompt)}`);
}

/** Lists the other inputs, each on one line, which the agent's text cannot end. */
function inputLines(input: Exclude<ToolCall, SetCall>['input']): string[] {
  const { images, mask, prompt } = { images: undefined, mask: undefined, prompt: undefined, ...input };
  return [
    ...(images === undefined ? [] : [l10n.t('Images to send: {0}', inOneLine(images.join(', ')))]),
    ...(mask === undefined ? [] : [l10n.t('Mask to send: {0}', inOneLine(mask))]),
    ...(prompt === undefined ? [] : [l10n.t('Prompt: {0}', inOneLine(prompt))]),
  ];
}

/** Most that is shown of an agent's text, in UTF-16 units. */
const longestShown = 500;

function inOneLine(text: string): string {
  return ellipsize(text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim(), longestShown);
}
