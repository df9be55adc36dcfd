/** A billed customer with one or several keys (docs/service.md, "Authentication"). */
export interface Account {
  id: string;
  /** `quota` is billed in credits, `subscription` by the number of requests. */
  plan: 'quota' | 'subscription';
  apiKeys: readonly string[];
}

/** The accounts by default. The first two listed keys belong to different ones. */
export const DEFAULT_ACCOUNTS: readonly Account[] = [
  { id: 'ada', plan: 'quota', apiKeys: ['demo-key-ada', 'demo-key-ada-2'] },
  { id: 'ben', plan: 'subscription', apiKeys: ['demo-key-ben'] },
];

/** Lists the first key of every account, then the second of every account that has one, and so on. */
export function listApiKeys(accounts: readonly Account[]): string[] {
  const longest = Math.max(0, ...accounts.map((account) => account.apiKeys.length));
  return Array.from({ length: longest }, (_, index) => index).flatMap((index) =>
    accounts.flatMap((account) => account.apiKeys[index] ?? []),
  );
}

/** Returns the account of an `Authorization: Bearer <key>` header, or the reason why it has none. */
export function findAccount(
  accounts: readonly Account[],
  authorization: string | undefined,
): Account | 'missing' | 'unknown' {
  const key = /^Bearer +(\S+) *$/iu.exec(authorization ?? '')?.[1];
  if (key === undefined) {
    return 'missing';
  }
  return accounts.find((account) => account.apiKeys.includes(key)) ?? 'unknown';
}
