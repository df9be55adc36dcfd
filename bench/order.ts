/** The pictures that a prompt asks the bench's server for. */
export interface Order {
  count: number;
  /** Of each picture, in bytes. */
  size: number;
  /** As base64 in the answer, or as URLs to be fetched. */
  delivery: 'inline' | 'urls';
}

/** Returns the prompt of an order. */
export function promptOf({ count, size, delivery }: Order): string {
  return `${count} pictures of ${size} bytes ${delivery}`;
}

/** Finds the order in the body of a request. @throws when there is none */
export function orderIn(body: string): Order {
  const [, count, size, delivery] = /(\d+) pictures of (\d+) bytes (inline|urls)/u.exec(body) ?? [];
  if (delivery === undefined) {
    throw new Error(`No pictures were ordered: ${body.slice(0, 200)}`);
  }
  return { count: Number(count), size: Number(size), delivery: delivery as Order['delivery'] };
}
