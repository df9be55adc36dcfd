import * as v from 'valibot';
import { readExifTexts } from './animation.ts';
import { pngChunks, RangeReader } from './containers.ts';
import { type Provenance, textIn, visible } from './provenance.ts';
import { sniffImage } from './sniff.ts';

/** How a file says it was made, in the words of the program that made it. */
export interface Parameters extends Pick<Provenance, 'prompt' | 'model'> {
  program: 'Automatic1111' | 'ComfyUI' | 'Fooocus' | 'InvokeAI' | 'NovelAI' | 'SwarmUI';
}

/** The longest text that is read, in bytes: graphs hold everything that a program knows, even images. */
const longestText = 16 * 1024 * 1024;
/** Keywords of the chunks in which programs write. */
const keywords = [
  'parameters',
  'prompt',
  'invokeai_metadata',
  'sd-metadata',
  'Dream',
  'Software',
  'Description',
  'Source',
] as const;

type Texts = Partial<Record<(typeof keywords)[number], string>>;

/** Reads what Automatic1111, ComfyUI, InvokeAI, NovelAI, and programs that write like them say about a prompt. */
export async function readParameters(bytes: Uint8Array): Promise<Parameters | undefined> {
  const texts = await pngTexts(bytes);
  const written = [texts.parameters ?? [], await readExifTexts(bytes)].flat();
  return (
    firstOf(written, webUiParameters) ??
    firstOf(written, jsonParameters) ??
    (texts.prompt === undefined ? undefined : comfyParameters(parsed(texts.prompt))) ??
    invokeParameters(texts) ??
    novelParameters(texts)
  );
}

function firstOf<T>(texts: readonly string[], read: (text: string) => T | undefined): T | undefined {
  for (const text of texts) {
    const found = read(text);
    if (found) {
      return found;
    }
  }
  return undefined;
}

async function pngTexts(bytes: Uint8Array): Promise<Texts> {
  const texts: Texts = {};
  if (sniffImage(bytes)?.extension !== 'png') {
    return texts;
  }
  const reader = new RangeReader(bytes);
  for await (const { type, start, length } of pngChunks(reader)) {
    if (/^(?:tEXt|zTXt|iTXt)$/u.test(type) && length <= longestText) {
      const data = await reader.read(start, length);
      const end = Math.max(0, data.indexOf(0));
      const keyword = keywords.find((one) => one === data.toString('latin1', 0, end));
      const text = keyword && (await textIn(type, data.subarray(end + 1), 'latin1', longestText));
      if (text !== undefined) {
        texts[keyword ?? 'parameters'] = text;
      }
    }
  }
  return texts;
}

/** @returns undefined without a prompt */
function told(program: Parameters['program'], prompt = '', model = ''): Parameters | undefined {
  const shown = { prompt: visible(prompt), model: visible(model) };
  return shown.prompt === ''
    ? undefined
    : { program, prompt: shown.prompt, ...(shown.model !== '' && { model: shown.model }) };
}

/** Reads a prompt that a negative one and a line of settings follow. */
function webUiParameters(text: string): Parameters | undefined {
  const end = text.lastIndexOf('\nSteps: ');
  if (end < 0) {
    return undefined;
  }
  const [words] = `\n${text.slice(0, end)}`.split('\nNegative prompt:', 1);
  return told('Automatic1111', words, /, Model: ([^,\n]+)/u.exec(text.slice(end))?.[1]);
}

/** Parses JSON, also as Python writes it, with numbers that aren't in the standard. @returns undefined for other texts */
function parsed(text: string): unknown {
  return jsonOf(text) ?? jsonOf(text.replaceAll(quotedOrForeign, (_, quoted?: string) => quoted ?? 'null'));
}

const quotedOrForeign = /("[^"\\]*(?:\\.[^"\\]*)*")|\bNaN\b|-?\bInfinity\b/gsu;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const optionalText = v.fallback(v.optional(v.string()), undefined);
const fooocusFacts = v.object({ prompt: v.string(), base_model: v.string() });
const swarmFacts = v.object({ sui_image_params: v.object({ prompt: v.string(), model: optionalText }) });
const novelFacts = v.object({
  Software: v.literal('NovelAI'),
  Description: v.string(),
  Source: optionalText,
});
const graphBesideFlow = v.object({ prompt: v.unknown() });

/** Reads the JSON that programs write in place of Automatic1111's text, with or without its name in front. */
function jsonParameters(text: string): Parameters | undefined {
  const facts = parsed(text.replace(/^prompt:/iu, '').replace(/\0+$/u, ''));
  if (v.is(fooocusFacts, facts)) {
    return told('Fooocus', facts.prompt, facts.base_model);
  }
  if (v.is(swarmFacts, facts)) {
    return told('SwarmUI', facts.sui_image_params.prompt, facts.sui_image_params.model);
  }
  if (v.is(novelFacts, facts)) {
    return told('NovelAI', facts.Description, facts.Source);
  }
  const graph = v.is(graphBesideFlow, facts) ? facts.prompt : facts;
  return comfyParameters(typeof graph === 'string' ? parsed(graph) : graph);
}

const invokeModel = v.object({ name: optionalText, model_name: optionalText });
const invokeFacts = v.object({ positive_prompt: v.string(), model: v.optional(v.unknown()) });
const olderInvokeFacts = v.object({
  model_weights: optionalText,
  image: v.object({
    prompt: v.union([v.string(), v.array(v.object({ prompt: v.string() }))]),
  }),
});

/** Reads the three forms of InvokeAI, the newest first. */
function invokeParameters({
  invokeai_metadata: facts = '',
  'sd-metadata': older = '',
  Dream: dream = '',
}: Texts): Parameters | undefined {
  const newest = v.safeParse(invokeFacts, parsed(facts));
  if (newest.success) {
    const model = v.safeParse(invokeModel, newest.output.model);
    const name = model.success ? (model.output.name ?? model.output.model_name) : undefined;
    return told('InvokeAI', newest.output.positive_prompt, name);
  }
  const before = v.safeParse(olderInvokeFacts, parsed(older));
  if (before.success) {
    const { model_weights: model, image } = before.output;
    const prompt =
      typeof image.prompt === 'string' ? image.prompt : image.prompt.map((one) => one.prompt).join(', ');
    return told('InvokeAI', prompt, model);
  }
  const [quoted] = /^"[^"\\]*(?:\\.[^"\\]*)*"/su.exec(dream) ?? [];
  const prompt = quoted === undefined ? undefined : parsed(quoted);
  return typeof prompt === 'string' ? told('InvokeAI', prompt) : undefined;
}

function novelParameters({
  Software: software,
  Description: prompt,
  Source: model,
}: Texts): Parameters | undefined {
  return software === 'NovelAI' ? told('NovelAI', prompt, model) : undefined;
}

const graphNode = v.object({ class_type: v.string(), inputs: v.record(v.string(), v.unknown()) });

type GraphNode = v.InferOutput<typeof graphNode>;

/** Inputs that lead from a sampler to the text of its positive condition, most telling first. */
const wayToText = [
  'text',
  'positive',
  'guider',
  'conditioning',
  'prompt',
  'positive_prompt',
  'populated_text',
  'text_g',
  't5xxl',
  'clip_l',
  'value',
  'string',
  'text_a',
  'string_a',
];
/** Inputs of a node that combines several conditions. */
const combined = ['conditioning_1', 'conditioning_2', 'conditioning_to', 'conditioning_from'];
/** Inputs that lead from a sampler to the name of its model. */
const wayToModel = ['ckpt_name', 'unet_name', 'model', 'guider', 'model_name'];

/** Reads the prompt from a graph: the text that is the positive condition of the last sampler, else the first text. */
function comfyParameters(facts: unknown): Parameters | undefined {
  const graph = new Map<string, GraphNode>(
    typeof facts === 'object' && facts !== null
      ? Object.entries(facts).flatMap(([id, node]) => (v.is(graphNode, node) ? [[id, node] as const] : []))
      : [],
  );
  const linked = (input: unknown): string | undefined => {
    const [id] = Array.isArray(input) ? (input as unknown[]) : [];
    return typeof id === 'string' && graph.has(id) ? id : undefined;
  };
  /** Follows links to the first text that isn't empty, or to those of combined conditions. */
  const follow = (input: unknown, way: readonly string[], seen = new Set<string>()): string | undefined => {
    if (typeof input === 'string') {
      return input.trim() === '' ? undefined : input;
    }
    const id = linked(input);
    if (id === undefined || seen.has(id)) {
      return undefined;
    }
    seen.add(id);
    const inputs = graph.get(id)?.inputs;
    const parts = combined.flatMap((name) => follow(inputs?.[name], way, seen) ?? []);
    if (parts.length > 0) {
      return parts.join('\n');
    }
    return firstOf(way, (name) => follow(inputs?.[name], way, seen));
  };
  const nodes = fromTheEnd(graph, linked);
  const samplers = nodes.filter(({ inputs }) => linked(inputs['positive'] ?? inputs['guider']) !== undefined);
  const encoders = nodes.filter(({ class_type: type }) => type.includes('TextEncode'));
  const texts = [...samplers, ...encoders].map(({ inputs }) =>
    firstOf(['positive', 'guider', 'text', 'prompt'], (name) => follow(inputs[name], wayToText)),
  );
  const models = [
    ...samplers.map(({ inputs }) => follow(inputs['model'] ?? inputs['guider'], wayToModel)),
    ...nodes.map(({ inputs }) => inputs['ckpt_name'] ?? inputs['unet_name']),
  ];
  return told(
    'ComfyUI',
    texts.find((text) => text !== undefined),
    models.find((name) => typeof name === 'string'),
  );
}

/** Returns the nodes of a graph, those first that make what no other node takes. */
function fromTheEnd(
  graph: ReadonlyMap<string, GraphNode>,
  linked: (input: unknown) => string | undefined,
): GraphNode[] {
  const sources = ({ inputs }: GraphNode): string[] =>
    Object.values(inputs).flatMap((input) => linked(input) ?? []);
  const taken = new Set([...graph.values()].flatMap(sources));
  const order = new Set([...graph.keys()].filter((id) => !taken.has(id)));
  // A set is also walked through what is added meanwhile.
  for (const id of order) {
    const node = graph.get(id);
    (node ? sources(node) : []).forEach((source) => order.add(source));
  }
  return [...order].flatMap((id) => graph.get(id) ?? []);
}
