/** The kinds of requests that a fault can be meant for. */
export type Target = 'generations' | 'edits' | 'query' | 'native' | 'image';

/** The targets that submit something, and may be billed. */
export const SUBMISSIONS: readonly Target[] = ['generations', 'edits', 'native'];
export const TARGETS: readonly Target[] = [...SUBMISSIONS, 'query', 'image'];
