import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ConfirmRule } from '../../agents/tools/agreement.ts';
import type { AgentLimits } from '../../agents/tools/allowance.ts';
import { type CallStyleSetting, callStyleSettings } from '../../common/requestValues.ts';
import * as settingNames from '../window/settingNames.ts';
import type { Settings } from '../window/settings.ts';

const confirm = v.picklist(['always', 'session', 'above']);
const limit = v.pipe(v.number(), v.integer(), v.minValue(0));

export function confirmRule({ confirmAbove: above }: Pick<Settings, 'confirmAbove'>): ConfirmRule {
  return { when: read(settingNames.agentsConfirm, confirm), above };
}

export function limitSettings(): AgentLimits {
  return {
    session: read(settingNames.agentsSessionLimit, limit),
    day: read(settingNames.agentsDailyLimit, limit),
  };
}

/** Returns the model of the user's own settings: a workspace's model doesn't apply to others. */
export function ownModel(): string {
  return read(settingNames.model, v.string());
}

export function ownCallStyle(): CallStyleSetting {
  return read(settingNames.callStyle, v.picklist(callStyleSettings));
}

/** Reads a setting that only the user can set. A value of the wrong type counts as not set. */
function read<T>(name: string, schema: v.GenericSchema<unknown, T>): T {
  const { globalValue, defaultValue } = vscode.workspace.getConfiguration().inspect(name) ?? {};
  const parsed = v.safeParse(schema, globalValue);
  return parsed.success ? parsed.output : v.parse(schema, defaultValue);
}
