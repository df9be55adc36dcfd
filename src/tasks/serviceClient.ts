import type {
  Answer,
  EditRequest,
  GenerationRequest,
  OpenImageSink,
  RemoteTask,
  Submission,
} from '../service/messages.ts';

/** How an answer with images is taken. */
export interface AnswerOptions {
  openSink: OpenImageSink;
  signal: AbortSignal;
}

/** What running a task needs of a service; `ImageService` is it. */
export interface ServiceClient {
  submitGeneration(request: GenerationRequest, options: AnswerOptions): Promise<Submission>;
  submitEdit(request: EditRequest, options: AnswerOptions): Promise<Submission>;
  generate(request: GenerationRequest, options: AnswerOptions): Promise<Submission>;
  edit(request: EditRequest, options: AnswerOptions): Promise<Submission>;
  generateContent(request: GenerationRequest, options: AnswerOptions): Promise<Answer>;
  streamGenerateContent(request: GenerationRequest, options: AnswerOptions): Promise<Answer>;
  query(taskId: string, options: AnswerOptions): Promise<RemoteTask>;
}

/** Opens the service at a base URL with a key. */
export type Connect = (baseUrl: string, apiKey: string) => ServiceClient;
