/**
 * Table of all settings, in display order: name after `limner.`, texts, and scope. `npm run contributions` writes
 * `package.json`, its texts, the names and scopes in the source, and `docs/user/settings.md` from it.
 */
import { type CallStyleSetting, type FitSetting, sizeOrNone } from '../../src/common/requestValues.ts';

/**
 * Who can set it: only the user ("application"), or also a workspace ("window") or its folders ("resource"). Settings that
 * concern keys, hosts, or confirmations are the user's alone.
 */
type Scope = 'application' | 'window' | 'resource';

/** Part of a JSON schema for VS Code, with English texts. */
export interface Schema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly default?: unknown;
  readonly description?: string;
  /** Allowed values, and their descriptions. */
  readonly values?: Readonly<Record<string, string>>;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  /** Message for a text that doesn't match the pattern. */
  readonly patternErrorMessage?: string;
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: false | Schema;
  readonly oneOf?: readonly Schema[];
  readonly defaultSnippets?: readonly { readonly label: string; readonly body: unknown }[];
}

export interface Setting extends Schema {
  readonly default: unknown;
  readonly scope: Scope;
  /** Whether an untrusted workspace can set it: it affects neither costs, nor images, nor their location. */
  readonly untrusted?: true;
  /** In Markdown. */
  readonly description: string;
}

export interface Section {
  readonly title: string;
  readonly settings: Readonly<Record<string, Setting>>;
}

const size = String.raw`^[1-9]\d*x[1-9]\d*$`;
const limit = String.raw`(\p{Sc}\s*|[A-Za-z]{3}\s*)?\d+(\.\d+)?(\s*[^\d\s.,+-][^\d,]*)?`;
const budget = {
  type: 'string',
  pattern: `^\\s*${limit}(,\\s*${limit})*$`,
  patternErrorMessage:
    'Enter an amount with its currency, such as "20 USD", or a number of images, such as "20 images".',
} as const;

const callStyles: Record<CallStyleSetting, string> = {
  auto: "Asynchronous, unless the model's entry says otherwise.",
  async: 'Submits a task, then polls for the result. Survives closing the editor.',
  sync: 'Sends one request that stays open until the images arrive.',
  native: 'Uses the native content call, for models of the second family.',
  nativeStream: 'Uses the native content call as a stream of events.',
};

const fits: Record<FitSetting, string> = {
  off: 'Saves the image in the size that the service sent.',
  crop: 'Scales the image to cover the requested size and crops the rest.',
  pad: 'Scales the image to fit into the requested size and fills the rest with `limner.fill`.',
  stretch: 'Stretches the image to the requested size, which changes its proportions.',
};

/** An entry of `limner.models`. */
const model: Schema = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', minLength: 1, description: 'Model ID, as used by the service.' },
    service: {
      type: 'string',
      description:
        'URL of the service that offers this model. If empty, the entry applies at every service that has no entry of its own for the model.',
    },
    label: { type: 'string', description: 'Name shown in lists.' },
    family: {
      enum: ['image', 'native'],
      default: 'image',
      description:
        "image: the image endpoints. native: the service's second model family, where size and quality don't apply.",
    },
    callStyle: {
      enum: Object.keys(callStyles),
      description: 'Controls how this model is called when limner.callStyle is auto.',
    },
    sizes: {
      type: 'array',
      items: { type: 'string', pattern: size },
      description: 'Sizes offered for this model, in pixels, each like 1024x1024.',
    },
    qualities: {
      type: 'object',
      additionalProperties: false,
      properties: { low: { type: 'string' }, medium: { type: 'string' }, high: { type: 'string' } },
      description: "The model's own words for the qualities low, medium, and high, which agents ask for.",
    },
    maxCount: { type: 'integer', minimum: 1, description: 'Maximum number of images in one request.' },
    taskPath: {
      type: 'string',
      pattern: String.raw`^/(?!/)\S*\{id\}\S*$`,
      description:
        "Path for looking up tasks, such as `/v1/tasks/{id}`, if the service doesn't use the usual one.",
    },
    inputs: {
      type: 'object',
      required: ['max'],
      additionalProperties: false,
      properties: {
        max: { type: 'integer', minimum: 1 },
        field: { enum: ['image', 'image[]'], default: 'image' },
      },
      description: 'Maximum number of input images in an edit, and the name of their form field.',
    },
    mask: {
      enum: ['alpha', 'white', 'none'],
      description:
        'Mask format of this model: alpha (edited area is transparent), white (edited area is white), or none.',
    },
    extra: { type: 'object', description: 'Additional fields to merge into each request.' },
    price: {
      oneOf: [
        { type: 'number', minimum: 0 },
        {
          type: 'object',
          required: ['amount'],
          additionalProperties: false,
          properties: {
            amount: { type: 'number', minimum: 0, description: 'Cost of one image.' },
            currency: {
              type: 'string',
              description: 'Name of the currency to show, such as USD or credits.',
              examples: ['USD', 'EUR'],
            },
            variants: {
              type: 'object',
              additionalProperties: { type: 'number', minimum: 0 },
              description:
                'Other amounts for a size (1536x1024), a quality (high), or both (1536x1024 high). An amount for both takes precedence, then the higher of the other two.',
            },
          },
        },
      ],
      description:
        'Cost of one image: a number, or an amount with its currency and with variants for sizes and qualities. Limner then shows what a run costs, and limits of limner.budget in this currency count it.',
      defaultSnippets: [
        {
          label: 'Amount with its currency',
          body: { amount: '^${1:0.04}', currency: '${2:USD}' },
        },
      ],
    },
    transparent: {
      type: 'object',
      additionalProperties: false,
      required: ['by'],
      properties: { by: { enum: ['alpha', 'key', 'grounds'] }, extra: { type: 'object' } },
      description:
        'How to make backgrounds transparent: alpha (the model generates transparency, requested with the additional fields in extra), key (the model paints on a flat color, which Limner removes), or grounds (the model paints on white, then edits that to black, and Limner uses the difference, which costs two images).',
    },
  },
};

export const sections: Readonly<Record<string, Section>> = {
  service: {
    title: 'Service',
    settings: {
      baseUrl: {
        scope: 'application',
        type: 'string',
        default: '',
        description:
          'URL of the image service, for example `https://images.example.com/v1`. The API key is kept for this service only.\n\n[Connect to a Service…](command:limner.connect) · [Set API Key…](command:limner.setApiKey)',
        pattern: '^$|^https?://',
        patternErrorMessage: 'The URL must start with https:// (or http:// for a service on this computer).',
        examples: ['https://images.example.com/v1'],
      },
      models: {
        scope: 'application',
        type: 'array',
        default: [],
        description:
          'Models offered by your service. Add each model you want to use.\n\n[Add Model…](command:limner.addModel) · [Set Price…](command:limner.setPrice)',
        items: model,
        defaultSnippets: [
          {
            label: 'Model on the image endpoints',
            body: {
              id: '${1:model-id}',
              label: '${2:Name in lists}',
              sizes: ['1024x1024', '1536x1024', '1024x1536'],
              maxCount: 4,
            },
          },
          {
            label: 'Model of native calls',
            body: { id: '${1:model-id}', label: '${2:Name in lists}', family: 'native' },
          },
        ],
      },
      model: {
        scope: 'window',
        type: 'string',
        default: '',
        description:
          'Model to use. If empty and there are several models, Limner asks once and remembers your choice.',
      },
      callStyle: {
        scope: 'window',
        default: 'auto',
        description: 'Controls how Limner calls the service.',
        values: callStyles,
      },
      requestTimeout: {
        scope: 'window',
        type: 'integer',
        default: 900,
        description: 'Time, in seconds, to wait for a synchronous response to start.',
        minimum: 30,
        maximum: 3600,
      },
      maxConcurrentTasks: {
        scope: 'window',
        type: 'integer',
        default: 4,
        description:
          "Maximum number of submissions and synchronous calls open at once. Tasks that are waiting for the service to finish don't count.",
        minimum: 1,
        maximum: 32,
      },
      resultHosts: {
        scope: 'application',
        type: 'array',
        default: [],
        description: 'Hosts on a private network or this computer that results may be fetched from.',
        items: { type: 'string' },
      },
    },
  },
  images: {
    title: 'Images',
    settings: {
      size: {
        scope: 'window',
        type: 'string',
        default: '',
        description:
          'Size to request, in pixels, for example `1024x1024`. Leave empty to let the service decide.',
        pattern: sizeOrNone.source,
        patternErrorMessage: 'Enter a size like 1024x1024.',
        examples: ['1024x1024', '1536x1024', '1024x1536'],
      },
      quality: {
        scope: 'window',
        type: 'string',
        default: '',
        description: 'Quality to request, for example `standard`. Leave empty to let the service decide.',
      },
      count: {
        scope: 'window',
        type: 'integer',
        default: 1,
        description: 'Number of images in one run.',
        minimum: 1,
        maximum: 100,
      },
      style: {
        scope: 'resource',
        type: 'string',
        default: '',
        description:
          'Style of new images: the name of a file in `.limner/styles`, without `.json`. If empty, none.',
        examples: ['icons'],
      },
      folder: {
        scope: 'resource',
        type: 'string',
        default: 'images',
        description:
          "Folder for new images, relative to the workspace folder. Limner creates it if it doesn't exist.",
        examples: ['images', 'public/images', 'src/assets'],
      },
      fileName: {
        scope: 'resource',
        type: 'string',
        default: '{prompt}',
        description:
          'File name of new images. Variables: `{prompt}`, `{date}`, `{time}`, `{model}`, `{index}`, `{name}`, `{id}`. If it ends in `.png`, `.jpg`, or `.webp`, images are saved in that format, otherwise in the format that the service sends. Limner never overwrites a file; it adds `-2`, `-3`, and so on.',
        examples: ['{prompt}', '{date}-{prompt}', '{prompt}.webp'],
      },
      fit: {
        scope: 'resource',
        default: 'off',
        description:
          "Controls how to change an image whose size isn't the requested one. Limner also keeps what the service sent.",
        values: fits,
      },
      fill: {
        scope: 'resource',
        type: 'string',
        default: 'transparent',
        description:
          "Fills the space around padded images: `transparent`, `edge` to repeat their outermost pixels, or a color like `#ffffff`. The color isn't used for images with a transparent background.",
        pattern: '^(transparent|edge|#[0-9a-fA-F]{6})$',
        patternErrorMessage: 'Enter transparent, edge, or a color like #ffffff.',
        examples: ['transparent', 'edge', '#ffffff'],
      },
      fileQuality: {
        scope: 'resource',
        type: 'integer',
        default: 90,
        description: 'Quality of JPEG and WebP files whose names ask for that format, from 1 to 100.',
        minimum: 1,
        maximum: 100,
      },
      embedPrompt: {
        scope: 'resource',
        type: 'boolean',
        default: false,
        description:
          "Writes the prompt, model, date, and the fact that a model generated it into each image file, as XMP. The pixels don't change. Images that come with Content Credentials keep those instead.",
      },
      afterSave: {
        scope: 'window',
        untrusted: true,
        default: 'open',
        description: 'Controls what happens to the first image of a run after it is saved.',
        values: {
          open: 'Opens it and leaves the focus where it is: in the place of an open image, or else beside the active editor. If you have turned to another editor meanwhile, a notification offers to open it.',
          reveal: 'Reveals it in the Explorer and moves the focus to the editor.',
          nothing: 'Does nothing.',
        },
      },
    },
  },
  cost: {
    title: 'Cost',
    settings: {
      budget: {
        scope: 'application',
        type: 'object',
        default: {},
        description:
          'Limits on what may be spent, each with its unit: `"20 USD"` counts the images that have a price in this currency, `"20 images"` counts all images. Limner asks before a run that exceeds a limit, or whose price is in none of the currencies, and refuses such runs of agents. A number without a unit allows nothing. What may have been billed counts as billed. Prices are in `#limner.models#`.\n\n[Set Budget…](command:limner.setBudget) · [Set Price…](command:limner.setPrice) · [Show Spending](command:limner.showSpending)',
        additionalProperties: false,
        properties: {
          day: { ...budget, description: 'Limit of all runs for one day, such as "2 USD" or "20 images".' },
          month: {
            ...budget,
            description:
              'Limit of all runs for one calendar month, such as "20 USD" or "20 USD, 200 images".',
          },
          agentsDay: {
            ...budget,
            description:
              'Limit of agents for one day, such as "0.50 USD". Their runs also count toward the other limits.',
          },
        },
        examples: [{ day: '2 USD', month: '20 USD' }, { month: '200 images' }],
      },
      confirmAbove: {
        scope: 'application',
        type: 'integer',
        default: 4,
        description: 'Ask for confirmation before generating more images than this in one run.',
        minimum: 1,
      },
      'agents.confirm': {
        scope: 'application',
        default: 'always',
        description:
          'Controls when Limner asks before an agent generates or edits images. It always asks before an agent replaces a file.',
        values: {
          always: 'Always',
          session: 'Once in each window',
          above: 'Only before a call that generates more images than `limner.confirmAbove`',
        },
      },
    },
  },
  documents: {
    title: 'Documents',
    settings: {
      missingImages: {
        scope: 'resource',
        untrusted: true,
        default: 'hint',
        description:
          "Controls how to show placeholders, and images that a document names but that don't exist. A quick fix generates the image.",
        values: {
          off: "Doesn't show them.",
          hint: 'Three dots below the name.',
          information: 'A blue line below the name, and an entry in the Problems view.',
          warning: 'A warning.',
          error: 'An error.',
        },
      },
      codeLens: {
        scope: 'resource',
        untrusted: true,
        type: 'boolean',
        default: false,
        description:
          "Shows *Generate This Image* above the line of an image that doesn't exist, and *Replace with a Generated Image* above a placeholder.",
      },
    },
  },
  history: {
    title: 'History',
    settings: {
      historyLimit: {
        scope: 'application',
        type: 'integer',
        default: 5000,
        description: 'Maximum number of finished tasks in the task list. This never deletes image files.',
        minimum: 1,
      },
      historyDays: {
        scope: 'application',
        type: 'number',
        default: 0,
        description:
          'Number of days a finished task stays in the task list, counted back from the newest one. `0` keeps them up to `#limner.historyLimit#`, whatever their age. This never deletes image files.',
        minimum: 0,
      },
    },
  },
  agents: {
    title: 'Agents',
    settings: {
      'agents.sessionLimit': {
        scope: 'application',
        type: 'integer',
        default: 20,
        minimum: 0,
        description:
          'Maximum number of images that agents can generate from one window or in one run of the MCP server.',
      },
      'agents.dailyLimit': {
        scope: 'application',
        type: 'integer',
        default: 50,
        minimum: 0,
        description:
          'Maximum number of images that agents can generate in 24 hours, in all windows together.',
      },
    },
  },
};
