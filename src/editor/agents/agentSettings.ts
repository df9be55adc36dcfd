import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ConfirmRule } from '../../agents/agreement.ts';
import type { AgentLimits } from '../../agents/allowance.ts';
import { type CallStyleSetting, callStyleSettings } from '../../common/callStyle.ts';
import { settingNames } from '../names.ts';
import type { Settings } from '../window/settings.ts';
import { agentSettings } from './agentSettingNames.ts';

const confirm = v.picklist(['always', 'session', 'above']);
const limit = v.pipe(v.number(), v.integer(), v.minValue(0));

/** When a person is asked before an agent has images made. */
export function confirmRule({ confirmAbove: above }: Pick<Settings, 'confirmAbove'>): ConfirmRule {
  return { when: read(agentSettings.confirm, confirm), above };
}

/** How many images agents may have made. */
export function limitSettings(): AgentLimits {
  return {
    session: read(agentSettings.sessionLimit, limit),
    day: read(agentSettings.dailyLimit, limit),
  };
}

/** The model of the person's own settings: that of a workspace says nothing about the others. */
export function ownModel(): string {
  return read(settingNames.model, v.string());
}

/** The call style of the person's own settings. */
export function ownCallStyle(): CallStyleSetting {
  return read(settingNames.callStyle, v.picklist(callStyleSettings));
}

/** Reads a setting of the person alone; a value of the wrong type counts as not set. */
function read<T>(name: string, schema: v.GenericSchema<unknown, T>): T {
  const { globalValue, defaultValue } = vscode.workspace.getConfiguration().inspect(name) ?? {};
  const parsed = v.safeParse(schema, globalValue);
  return parsed.success ? parsed.output : v.parse(schema, defaultValue);
}
