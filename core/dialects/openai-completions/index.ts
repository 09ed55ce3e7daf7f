// OpenAI's completions, the predecessor of chat: a prompt in, text out. Its answers otherwise resemble chat's.
import type { Dialect } from '../dialect.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { patchRequest } from '../openai-chat/patch.ts'
import { NO_OBJECTS } from '../openai-objects.ts'
import { createWriter, writeReply } from './answer.ts'
import { headFields, NAME, readHead, readRequest, writeRequest } from './request.ts'

export const openaiCompletions: Dialect = {
  ...openaiChat,
  name: NAME,
  paths: ['/v1/completions'],
  idPrefix: 'cmpl-',
  headFields,
  objects: NO_OBJECTS,
  readHead,
  readRequest,
  writeRequest,
  // The format has no field for an operator's system prompt or for reasoning.
  patchRequest: (body, change) => patchRequest(body, { ...change, system: undefined, implied: undefined }),
  writer: createWriter,
  writeReply,
}
