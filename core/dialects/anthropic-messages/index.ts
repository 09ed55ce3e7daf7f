// Anthropic's messages, the format of Claude and its clients.
import type { Dialect } from '../dialect.ts'
import { promptCount } from './count.ts'
import { readError, writeError, writeErrorFrame } from './error.ts'
import { readHead } from './head.ts'
import { patchRequest } from './patch.ts'
import { withProofs } from './proofs.ts'
import { createReader } from './read-events.ts'
import { outputEstimate, readReply, readWhole, writeReply } from './reply.ts'
import { NAME, readRequest } from './request.ts'
import { createWatcher } from './watch.ts'
import { createWriter } from './write-events.ts'
import { writeRequest } from './write-request.ts'
import { BUCKETS } from './usage.ts'
import { WORDS } from './words.ts'

export const anthropicMessages: Dialect = {
  name: NAME,
  operation: 'chat',
  paths: ['/v1/messages'],
  words: WORDS,
  usageKeys: ['usage'],
  modelKeys: ['model', 'message.model'],
  proves: true,
  idPrefix: 'msg_',
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
  headers: ['anthropic-version', 'anthropic-beta'],
  outputEstimate,
  buckets: BUCKETS,
  count: promptCount,
}
