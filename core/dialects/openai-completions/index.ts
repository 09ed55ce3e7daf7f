// OpenAI's completions, which came before chat: a prompt in, text out. Its answers look like chat's in all else.
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
  // It has no place for an operator's words, nor for how hard to think.
  patchRequest: (body, change) => patchRequest(body, { ...change, system: undefined, implied: undefined }),
  writer: createWriter,
  writeReply,
}
