import { createHash } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Plan } from '../../agents/agentHost.ts';
import type { ConfirmRule } from '../../agents/agreement.ts';
import { ellipsize } from '../../common/text.ts';
import { imagesUnit, moneyText } from '../../service/price.ts';
import { costAhead } from '../../tasks/spending/spending.ts';
import type { TaskRequest } from '../../tasks/task.ts';

/** Whether a client can show a form to the person, also one that says no more than that it can ask. */
export function canAsk(
  server: { server: Pick<McpServer['server'], 'getClientCapabilities'> },
  { mcpReq }: { mcpReq: Pick<ServerContext['mcpReq'], 'envelope'> },
): boolean {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
  const { elicitation } = {
    elicitation: undefined,
    ...(typeof declared === 'object' ? declared : undefined),
  };
  return (
    typeof elicitation === 'object' &&
    elicitation !== null &&
    ('form' in elicitation || !('url' in elicitation))
  );
}

/** Says what can be done where a call needs an agreement that the client can't ask for. */
export function cannotAsk(plan: Plan, rule: ConfirmRule): string {
  return `This call needs the person's agreement, and this client can't ask for it.\nCost: none. Nothing was sent.\nWhat to do: ${stepWithoutQuestion(plan, rule)}`;
}

/** Says what can be done where a client closed the question, as those do in which nobody sits. */
export function unanswered(plan: Plan, rule: ConfirmRule): string {
  return `This call needs the person's agreement, and the question was closed without an answer.\nCost: none. Nothing was sent.\nWhat to do: ask the person, and call the tool again. If this client never shows the question, ${stepWithoutQuestion(plan, rule)}`;
}

/** Says that the person did not agree. */
export const declined =
  "The person declined.\nCost: none. Nothing was sent.\nWhat to do: don't call the tool again unless the person asks for it.";

function stepWithoutQuestion({ replaces }: Plan, { when, above }: ConfirmRule): string {
  if (replaces) {
    return 'choose a path where no file is.';
  }
  return when === 'above' && above > 0
    ? `make at most ${above} images in one call.`
    : 'tell the person that LIMNER_AGENTS_CONFIRM=above in the environment of this server leaves it to the client to approve calls.';
}

/** Returns the name of a question: an answer is to what was asked, not to what the call has become since. */
export function keyOf(plan: Plan): string {
  return `agree-${createHash('sha256').update(messageOf(plan)).digest('hex').slice(0, 16)}`;
}

export function questionOf(plan: Plan): Parameters<typeof inputRequired.elicit>[0] {
  return { message: messageOf(plan), requestedSchema: { type: 'object', properties: {} } };
}

/** Says what a call does and costs first: nothing that an agent wrote can push that out of sight. */
function messageOf({ call, path, images, replaces, request }: Plan): string {
  return [
    ...(images > 0 ? [`Make ${images === 1 ? '1 image' : `${images} images`} with Limner?`] : []),
    ...(replaces ? ['This replaces a file. What it holds now is kept by Limner for 30 days.'] : []),
    ...(request ? [costText(request)] : []),
    ...(request ? [`Model: ${inOneLine(request.model)}`] : []),
    ...sizeLines(call.input, request),
    ...said('Quality', request?.quality),
    `File: ${inOneLine(path)}`,
    ...inputLines(call.input),
  ].join('\n');
}

function costText(request: TaskRequest): string {
  const cost = costAhead(request);
  return !cost || cost.unit === imagesUnit
    ? 'Each image may be billed.'
    : `It costs about ${moneyText(cost.about, cost.unit, 'en')}.`;
}

/** Says which size the file gets, and which one is asked of the service where that is another one. */
function sizeLines(input: Plan['call']['input'], request: TaskRequest | undefined): string[] {
  const size = 'size' in input ? input.size : undefined;
  const sent = request?.size;
  return said(
    'Size',
    size !== undefined && sent !== undefined && sent !== size ? `${size}, sent as ${sent}` : (size ?? sent),
  );
}

/** Says what else is sent, in lines that what an agent wrote cannot end. */
function inputLines(input: Plan['call']['input']): string[] {
  return [
    ...('images' in input ? said('Images that are sent', input.images?.join(', ')) : []),
    ...('mask' in input ? said('Mask that is sent', input.mask) : []),
    ...('prompt' in input ? said('Prompt', input.prompt) : []),
  ];
}

function said(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${name}: ${inOneLine(value)}`];
}

/** The longest that is shown of what an agent wrote, in UTF-16 units. */
const longestShown = 500;

function inOneLine(text: string): string {
  return ellipsize(text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim(), longestShown);
}
