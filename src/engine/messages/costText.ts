import * as l10n from '@vscode/l10n';
import type { BillAhead } from '../task/spending.ts';

export function imagesText(count: number): string {
  return count === 1 ? l10n.t('1 image') : l10n.t('{0} images', count);
}

/**
 * Says what runs make, what that costs, and where they are sent, in the one wording of every door: "3 images · about
 * 0.12 USD · images.example.com", "1 image · may be billed · images.example.com", "1 image · Free (demo)".
 *
 * @param service its name
 */
export function runText(bill: BillAhead, service: string): string {
  const images = imagesText(bill.images);
  return bill.isFree
    ? [images, l10n.t('Free (demo)')].join(' · ')
    : [images, billText(bill), service].join(' · ');
}

function billText({ money, isPriced }: BillAhead): string {
  if (money.length === 0) {
    return l10n.t('may be billed');
  }
  const sum = money.join(' + ');
  return isPriced ? l10n.t('about {0}', sum) : l10n.t('about {0}, and some may be billed', sum);
}
