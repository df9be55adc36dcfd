/** Settings about agents, of the person alone. They are apart from the others, since the window does without them. */
export const agentSettings = {
  confirm: 'limner.agents.confirm',
  sessionLimit: 'limner.agents.sessionLimit',
  dailyLimit: 'limner.agents.dailyLimit',
} as const;
