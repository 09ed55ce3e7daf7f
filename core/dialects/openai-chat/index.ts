// OpenAI's chat completions, the format most providers and clients speak.
import type { Dialect } from '../dialect.ts'
import { readError, writeError, writeErrorFrame } from './error.ts'
import { createReader, createWriter } from './events.ts'
import { NAME } from './extras.ts'
import { readHead } from './head.ts'
import { patchRequest } from './patch.ts'
import { withProofs } from './proofs.ts'
import { outputEstimate, readReply, readWhole, writeReply } from './reply.ts'
import { readRequest } from './request.ts'
import { createWatcher } from './watch.ts'
import { writeRequest } from './write-request.ts'
import { BUCKETS } from './usage.ts'
import { OPENAI_WORDS } from './words.ts'

export const openaiChat: Dialect = {
  name: NAME,
  operation: 'chat',
  paths: ['/v1/chat/completions'],
  words: OPENAI_WORDS,
  usageKeys: ['usage'],
  modelKeys: ['model'],
  idPrefix: 'chatcmpl-',
  readHead,
  readRequest,
  writeRequest,
  withProofs,
  patchRequest,
  watcher: createWatcher,
  reader: createReader,
  writer: createWriter,
  readReply,
  writeReply,
  readWhole,
  readError,
  writeError,
  writeErrorFrame,
  outputEstimate,
  buckets: BUCKETS,
}
