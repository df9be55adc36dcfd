/** Only words of it stand in the answers. */
export const apiKey = 'sk-0123456789abcdef';

/** The kinds of answers, by how they are read. */
export type Kind = 'a poll' | 'an error' | 'a synchronous answer' | 'a native answer';

/** The longest stall of the event loop while an answer was read, in milliseconds, by kind and by content. */
export type Stalls = Record<Kind, Record<string, number>>;
