// Google's generateContent and streamGenerateContent, as Gemini speaks them. The model stands in the address.
import type { Dialect } from '../dialect.ts'
import { promptCount } from './count.ts'
import { readError, writeError, writeErrorFrame } from './error.ts'
import { createReader, createWriter } from './events.ts'
import { NAME } from './fields.ts'
import { readHead } from './head.ts'
import { patchRequest } from './patch.ts'
import { withProofs } from './proofs.ts'
import { outputEstimate, readReply, readWhole, writeReply } from './reply.ts'
import { readRequest } from './request.ts'
import { createWatcher } from './watch.ts'
import { writeRequest } from './write-request.ts'
import { BUCKETS } from './usage.ts'
import { WORDS } from './words.ts'

export const geminiGenerate: Dialect = {
  name: NAME,
  operation: 'chat',
  paths: ['/v1beta/models/{model}:generateContent', '/v1beta/models/{model}:streamGenerateContent'],
  words: WORDS,
  usageKeys: ['usageMetadata', 'usage_metadata'],
  modelKeys: ['modelVersion'],
  proves: true,
  idPrefix: '',
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
  count: promptCount,
}
