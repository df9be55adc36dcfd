/** File formats that the service stores (docs/service.md, "Limits"). */
export type ImageFormat = 'png' | 'jpeg' | 'webp';

export interface Size {
  width: number;
  height: number;
}

export interface Model {
  id: string;
  /** `native` is the service's second family, usable on all three call styles. */
  family: 'image' | 'native';
  /**
   * How it does asynchronous work: `managed` by the platform's own queue, `native` by a channel that supports async
   * itself and rejects `response_format=b64_json`, or not at all.
   */
  asyncChannel: 'managed' | 'native' | 'none';
  /** The format of its results, unless the request's `output_format` names another. */
  format: ImageFormat;
  /** The size of its images if the request names none, or if size has no effect. */
  size: Size;
  maxInputs: number;
  /** The credits per image. A fixed-price model is settled by the number of returned images. */
  price: number;
}

export const MODELS: readonly Model[] = [
  {
    id: 'demo-painter',
    family: 'image',
    asyncChannel: 'managed',
    format: 'png',
    size: { width: 1024, height: 1024 },
    maxInputs: 4,
    price: 40,
  },
  {
    id: 'demo-painter-sync',
    family: 'image',
    asyncChannel: 'none',
    format: 'png',
    size: { width: 1024, height: 1024 },
    maxInputs: 1,
    price: 30,
  },
  {
    id: 'demo-painter-direct',
    family: 'image',
    asyncChannel: 'native',
    format: 'jpeg',
    size: { width: 1024, height: 1024 },
    maxInputs: 1,
    price: 50,
  },
  {
    id: 'demo-sketch-a',
    family: 'native',
    asyncChannel: 'managed',
    format: 'png',
    size: { width: 1024, height: 1024 },
    maxInputs: 1,
    price: 20,
  },
  {
    id: 'demo-sketch-b',
    family: 'native',
    asyncChannel: 'managed',
    format: 'webp',
    size: { width: 1344, height: 768 },
    maxInputs: 1,
    price: 60,
  },
];
