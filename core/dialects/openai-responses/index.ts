// OpenAI's Responses: items instead of messages, events instead of chunks.
import type { Dialect } from '../dialect.ts'
import { readError, writeError } from '../openai-chat/error.ts'
import { writeErrorFrame } from './error.ts'
import { NAME } from './extras.ts'
import { readHead } from './head.ts'
import { createOutput } from './output.ts'
import { patchRequest } from './patch.ts'
import { withProofs } from './proofs.ts'
import { createReader } from './read-events.ts'
import { answerId, outputEstimate, readReply, readWhole, writeReply } from './reply.ts'
import { readRequest } from './request.ts'
import { createWatcher } from './watch.ts'
import { writeRequest } from './write-request.ts'
import { BUCKETS } from '../openai-chat/usage.ts'
import { OPENAI_WORDS } from '../openai-chat/words.ts'

export const openaiResponses: Dialect = {
  name: NAME,
  operation: 'chat',
  paths: ['/v1/responses'],
  words: OPENAI_WORDS,
  usageKeys: ['usage'],
  modelKeys: ['model', 'response.model'],
  proves: true,
  idPrefix: 'resp_',
  readHead,
  readRequest,
  writeRequest,
  withProofs,
  patchRequest,
  watcher: createWatcher,
  reader: createReader,
  writer(head) {
    const take = createOutput(head)
    return (event) =>
      event.type === 'failure'
        ? [writeErrorFrame(event.failure)]
        : take(event).map((said) => ({ event: String(said.type), data: JSON.stringify(said) }))
  },
  readReply,
  writeReply,
  readWhole,
  readError,
  writeError,
  writeErrorFrame,
  outputEstimate,
  buckets: BUCKETS,
  answerId,
}
