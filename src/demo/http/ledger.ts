import { hash } from 'node:crypto';
import type { Account } from './accounts.ts';
import type { Size } from './modelCatalog.ts';

/** One submission as it was billed (docs/service.md, "Billing"). */
export interface LedgerEntry {
  /** The task's id, or a separate one for a synchronous call. */
  id: string;
  account: string;
  model: string;
  /** Credits for accounts with a quota, requests for subscriptions. */
  unit: 'credits' | 'requests';
  state: 'reserved' | 'settled' | 'refunded';
  reserved: number;
  /** The amount billed in the end; 0 while reserved and after a refund. */
  billed: number;
  /** SHA-256 of the prompt in UTF-8, in hexadecimal digits. */
  promptSha256: string;
  /** The size that was ordered, in pixels; absent where the model or the input decides. */
  size?: Size;
  /** SHA-256 of each billed image in order, in hexadecimal digits. */
  imageSha256: readonly string[];
}

interface Charge {
  id: string;
  account: Account;
  model: { id: string; price: number };
  prompt: string;
  size: Size | undefined;
  images: number;
}

/** Reserves at submission, refunds failures, and settles by the number of returned images. */
export class Ledger {
  readonly #charges = new Map<string, { entry: LedgerEntry; price: number }>();

  reserve({ id, account, model, prompt, size, images }: Charge): void {
    const credits = account.plan === 'quota';
    const entry: LedgerEntry = {
      id,
      account: account.id,
      model: model.id,
      unit: credits ? 'credits' : 'requests',
      state: 'reserved',
      reserved: credits ? model.price * images : 1,
      billed: 0,
      promptSha256: hash('sha256', prompt),
      ...(size && { size }),
      imageSha256: [],
    };
    this.#charges.set(id, { entry, price: model.price });
  }

  /** @param imageSha256 a hash of each returned image */
  settle(id: string, imageSha256: readonly string[]): void {
    const charge = this.#charges.get(id);
    if (charge?.entry.state === 'reserved') {
      const { entry, price } = charge;
      entry.state = 'settled';
      entry.billed = entry.unit === 'credits' ? price * imageSha256.length : entry.reserved;
      entry.imageSha256 = imageSha256;
    }
  }

  refund(id: string): void {
    const entry = this.#charges.get(id)?.entry;
    if (entry?.state === 'reserved') {
      entry.state = 'refunded';
    }
  }

  /** Deletes a charge as if it had never been made. */
  withdraw(id: string): void {
    this.#charges.delete(id);
  }

  /** Returns all entries in order of submission. */
  entries(): Readonly<LedgerEntry>[] {
    return [...this.#charges.values()].map(({ entry }) => entry);
  }

  balances(): { account: string; unit: LedgerEntry['unit']; reserved: number; billed: number }[] {
    const balances = new Map<string, ReturnType<Ledger['balances']>[number]>();
    for (const { account, unit, state, reserved, billed } of this.entries()) {
      const balance = balances.get(account) ?? { account, unit, reserved: 0, billed: 0 };
      balance.reserved += state === 'reserved' ? reserved : 0;
      balance.billed += billed;
      balances.set(account, balance);
    }
    return [...balances.values()];
  }
}
