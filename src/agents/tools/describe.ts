import { posix } from 'node:path';
import { amountText, type Period } from '../../engine/task/budget.ts';
import { messageOf } from '../../common/limnerError.ts';
import type { TaskRunner } from '../../engine/run/taskRunner.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import { type PriceList, unitOf } from '../../service/terms/price.ts';
import type { AgentHost, Offer } from './agentHost.ts';
import type { Allowance } from './allowance.ts';

/** Most folders and models that are listed. */
const maxListed = 10;
const maxFiles = 2000;

const periods: Record<Period, string> = {
  day: 'today',
  month: 'this month',
  agentsDay: 'today by agents',
};

/**
 * Says what can be had: the service, its models with sizes and prices, what is left of limits and budget, and where the
 * project keeps its images.
 */
export async function describe(host: AgentHost, allowance: Allowance, now: number): Promise<string> {
  const [{ store, runner }, offer, files, styles] = await Promise.all([
    host.engine(),
    host.offer(),
    host.imageFiles(maxFiles),
    host.styles(),
  ]);
  const { session, day } = allowance.left(store, now);
  const folders = foldersOf(files);
  const lines = [
    serviceText(offer),
    ...offer.models.slice(0, maxListed).map((model) => modelText(model, offer)),
    `Agents may still make ${session} images in this session, and ${day} in 24 hours.`,
    ...budgetLines(runner),
    ...(styles.length > 0 ? [`Styles: ${styles.slice(0, maxListed).join(', ')}.`] : []),
    folders.length > 0 ? `Folders with images: ${folders.join(', ')}.` : 'The project has no images yet.',
  ];
  return lines.join('\n');
}

function budgetLines(runner: Pick<TaskRunner, 'budgetLeft'>): string[] {
  try {
    return runner.budgetLeft().map(({ period, limit: { amount, unit }, left }) => {
      return `Budget ${periods[period]}: ${amountText(left, unit)} of ${amountText(amount, unit)} left.`;
    });
  } catch (error) {
    return [messageOf(error)];
  }
}

function serviceText({ service, free }: Offer): string {
  if (service === undefined) {
    return 'No service is connected. What to do: ask the user to connect one, or to use the demo service.';
  }
  return free ? 'Service: the built-in demo service, which is free.' : `Service: ${service}`;
}

function modelText({ id, sizes, maxCount, inputs, price }: ModelEntry, { usual, free }: Offer): string {
  const facts = [
    ...(id === usual ? ['used unless another is named'] : []),
    sizes && sizes.length > 0 ? `makes ${sizes.join(', ')}; other sizes are made of these` : 'sizes unknown',
    ...(maxCount === undefined ? [] : [`at most ${maxCount} at a time`]),
    ...(inputs === undefined ? [] : [`edits take up to ${inputs.max} images`]),
    free ? 'free' : price === undefined ? 'price unknown' : priceText(price),
  ];
  return `Model ${id}: ${facts.join('; ')}.`;
}

function priceText(price: PriceList): string {
  const unit = unitOf(price);
  const { amount, variants = {} } = typeof price === 'number' ? { amount: price } : price;
  const others = Object.entries(variants).map(([name, one]) => `${name} ${amountText(one, unit)}`);
  const more = others.length > 0 ? ` (${others.join(', ')})` : '';
  return `about ${amountText(amount, unit)} an image${more}`;
}

/** Returns the folders with the most images, with their number. */
function foldersOf(files: readonly string[]): string[] {
  return [...Map.groupBy(files, (file) => posix.dirname(file))]
    .map(([folder, own]) => ({ folder, count: own.length }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, maxListed)
    .map(({ folder, count }) => `${folder} (${count})`);
}
