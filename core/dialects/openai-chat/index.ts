// OpenAI's chat completions, the format most providers and clients speak.
import type { Dialect } from '../dialect.ts'
import { readDisguisedError, readError, writeError, writeErrorFrame } from './error.ts'
import { createReader, createWriter } from './events.ts'
import { readHead } from './head.ts'
import { patchRequest } from './patch.ts'
import { outputEstimate, readReply, readUsage, writeReply } from './reply.ts'
import { readRequest, writeRequest } from './request.ts'
import { createWatcher } from './watch.ts'

export const openaiChat: Dialect = {
  name: 'openai-chat',
  readHead,
  readRequest,
  writeRequest,
  patchRequest,
  watcher: createWatcher,
  reader: createReader,
  writer: createWriter,
  readReply,
  writeReply,
  readUsage,
  readDisguisedError,
  readError,
  writeError,
  writeErrorFrame,
  outputEstimate,
}
