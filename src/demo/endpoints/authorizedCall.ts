import type { IncomingMessage } from 'node:http';
import type { Account } from '../state/accounts.ts';
import type { Service } from './service.ts';

/** One request with a valid key on its way to its endpoint. */
export interface AuthorizedCall {
  service: Service;
  request: IncomingMessage;
  url: URL;
  account: Account;
  /** The variable part of the path: a task id or a model. */
  parameter: string;
}
