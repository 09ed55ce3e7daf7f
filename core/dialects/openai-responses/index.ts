// OpenAI's Responses: items instead of messages, events instead of chunks.
import type { Dialect } from '../dialect.ts'
import { jsonBytes } from '../json-bytes.ts'
import { readError, writeError } from '../openai-chat/error.ts'
import { patchBody } from '../patch.ts'
import { readDisguisedError, writeErrorFrame } from './error.ts'
import { NAME } from './extras.ts'
import { readHead } from './head.ts'
import { createOutput } from './output.ts'
import { createReader } from './read-events.ts'
import { outputEstimate, readReply, readUsage, writeReply } from './reply.ts'
import { readRequest } from './request.ts'
import { createWatcher } from './watch.ts'
import { writeRequest } from './write-request.ts'

export const openaiResponses: Dialect = {
  name: NAME,
  operation: 'chat',
  readHead,
  readRequest,
  writeRequest,
  patchRequest: (body, change) =>
    patchBody(body, change, ({ members }, changes) => {
      const effort = change.implied?.reasoning_effort
      const says = members.some(({ key }) => key === 'reasoning')
      if (effort && !says && !changes.has('reasoning')) changes.set('reasoning', jsonBytes({ effort }))
    }),
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
  readUsage,
  readDisguisedError,
  readError,
  writeError,
  writeErrorFrame,
  outputEstimate,
}
