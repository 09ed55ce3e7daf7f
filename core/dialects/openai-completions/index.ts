// OpenAI's completions, the predecessor of chat: a prompt in, text out. Its answers otherwise resemble chat's.
import type { Dialect } from '../dialect.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { patchRequestBody } from '../openai-chat/patch.ts'
import { NO_OBJECT_PLACES } from '../requests/openai-objects.ts'
import { createStreamWriter, writeWholeReply } from './answer.ts'
import { REQUEST_HEAD_FIELDS, FORMAT_NAME, readRequestHead, readModelRequest, writeModelRequest } from './request.ts'

export const openaiCompletions: Dialect = {
  ...openaiChat,
  name: FORMAT_NAME,
  paths: ['/v1/completions'],
  idPrefix: 'cmpl-',
  headFields: REQUEST_HEAD_FIELDS,
  objects: NO_OBJECT_PLACES,
  readRequestHead,
  readModelRequest,
  writeModelRequest,
  // The format has no field for an operator's system prompt or for reasoning.
  patchRequestBody: (body, change) => patchRequestBody(body, { ...change, system: undefined, implied: undefined }),
  writer: createStreamWriter,
  writeWholeReply,
}
