/** Only words of it stand in the answers. */
export const apiKey = 'sk-0123456789abcdef';

/** What an answer is read as. */
export type Kind = 'a poll' | 'an error' | 'a synchronous answer' | 'a native answer';

/** How long the event loop stood still, in milliseconds, while an answer was read: by kind, and by what is in it. */
export type Stalls = Record<Kind, Record<string, number>>;
