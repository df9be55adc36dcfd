import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import { imagesUnit, type PriceList, readAmount, unitOf } from '../../service/terms/price.ts';
import {
  askPick,
  askText,
  type Direction,
  type StepPosition,
  takeAnswer,
  walk,
} from '../generate/inputSteps.ts';
import { modelName, type Models, noModel, perImage } from '../generate/models.ts';
import * as commands from '../window/commandIds.ts';
import { commandAction, offer } from '../window/offers.ts';

type Variants = Record<string, number>;

/** Asks what the images of a model cost, and writes it to the settings. */
export class PriceForm {
  readonly #models: Models;
  #model: ModelEntry | undefined;
  #price = '';
  #variants = '';

  constructor(models: Models) {
    this.#models = models;
  }

  /**
   * `limner.setPrice`
   *
   * @throws LimnerError `invalid_request` when there is no model
   * @throws vscode.CancellationError when the user dismissed it before a price was entered; nothing was changed then
   */
  async set(): Promise<void> {
    const models = this.#listed();
    await walk(() => [
      ...(models.length > 1 ? [async (position: StepPosition) => this.#askModel(models, position)] : []),
      async (position) => this.#askPrice(this.#model ?? this.#take(models[0]), position),
      ...(this.#price === ''
        ? []
        : [
            async (position: StepPosition) =>
              this.#askVariants(this.#model ?? this.#take(models[0]), position),
          ]),
    ]);
    const model = this.#model ?? this.#take(models[0]);
    const { amount, unit: currency } = readAmount(this.#price) ?? {};
    const variants = variantsIn(this.#variants) ?? {};
    const price =
      amount === undefined || currency === undefined
        ? undefined
        : { amount, currency, ...(Object.keys(variants).length > 0 && { variants }) };
    await this.#models.setPrice(model, price);
    void offer(
      vscode.window.showInformationMessage,
      price
        ? l10n.t('{0} costs {1}.', modelName(model), perImage(price))
        : l10n.t('{0} has no price now.', modelName(model)),
      commandAction(l10n.t('Set Budget…'), commands.setBudget),
    );
  }

  /** Returns the models, the one in use first. */
  #listed(): ModelEntry[] {
    const models = this.#models.configured();
    const used = this.#models.implied(models);
    return used ? [used, ...models.filter(({ id }) => id !== used.id)] : models;
  }

  #take(model: ModelEntry | undefined): ModelEntry {
    if (!model) {
      throw noModel();
    }
    if (model !== this.#model) {
      this.#model = model;
      this.#price = priceTextOf(model.price);
      this.#variants = Object.entries(variantsOf(model.price))
        .map(([name, amount]) => `${name} ${amount}`)
        .join(', ');
    }
    return model;
  }

  async #askModel(models: readonly ModelEntry[], position: StepPosition): Promise<Direction> {
    const items = models.map((model) => ({
      label: modelName(model),
      description: model.price === undefined ? l10n.t('no price') : perImage(model.price),
      model,
    }));
    const reply = await askPick(
      {
        title: l10n.t('Set Price'),
        placeholder: l10n.t('Model'),
        items,
        active: items.find(({ model }) => model === this.#model),
      },
      position,
    );
    return takeAnswer(reply, ({ model }) => this.#take(model));
  }

  async #askPrice(model: ModelEntry, position: StepPosition): Promise<Direction> {
    const reply = await askText(
      {
        title: l10n.t('Set Price of {0}', modelName(model)),
        prompt: l10n.t('Price of one image, with its currency. Leave it empty to remove the price.'),
        placeholder: '0.04 USD',
        value: this.#price,
        invalid: (text) => {
          const unit = readAmount(withPoints(text))?.unit;
          return text.trim() === '' || (unit !== undefined && unit !== imagesUnit)
            ? undefined
            : l10n.t('Enter an amount with its currency, such as "0.04 USD".');
        },
      },
      position,
    );
    return takeAnswer(reply, (text) => {
      this.#price = withPoints(text.trim());
    });
  }

  /** Who dismisses it has entered a price and leaves the others as they are. */
  async #askVariants(model: ModelEntry, position: StepPosition): Promise<Direction> {
    const reply = await askText(
      {
        title: l10n.t('Set Price of {0}', modelName(model)),
        prompt: l10n.t(
          'Other prices, by size, by quality, or by both, in the same currency. Leave it empty if there are none.',
        ),
        placeholder: '1536x1024 0.06, high 0.17, 1536x1024 high 0.25',
        value: this.#variants,
        invalid: (text) =>
          variantsIn(withPoints(text))
            ? undefined
            : l10n.t('Enter each as a size or a quality and an amount, such as "high 0.17".'),
      },
      position,
    ).catch((error: unknown): { kind: 'answer'; value: string } => {
      if (error instanceof vscode.CancellationError) {
        return { kind: 'answer', value: this.#variants };
      }
      throw error;
    });
    return takeAnswer(reply, (text) => {
      this.#variants = withPoints(text);
    });
  }
}

function priceTextOf(price: PriceList | undefined): string {
  if (price === undefined) {
    return '';
  }
  const amount = typeof price === 'number' ? price : price.amount;
  return `${amount} ${unitOf(price)}`.trim();
}

function variantsOf(price: PriceList | undefined): Variants {
  return (typeof price === 'object' && price.variants) || {};
}

/** Writes decimals with a point: "0,04" as "0.04". A comma before three digits may be meant otherwise: "1,000". */
function withPoints(text: string): string {
  return text.replaceAll(/(?<![\d.])(0|\d+(?=,\d\d?(?!\d))),(\d+)(?![\d.x])/gu, '$1.$2');
}

/** Reads "high 0.17, 1536x1024 high 0.25"; undefined if a part is neither. */
function variantsIn(text: string): Variants | undefined {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  const read = parts.map((part) => /^\s*(\S.*?)[\s:]+(\d+(?:\.\d+)?)\s*$/u.exec(part));
  return read.every((one) => one !== null)
    ? Object.fromEntries(read.map(([, name = '', amount]) => [name, Number(amount)]))
    : undefined;
}
