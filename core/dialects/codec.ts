// A format of callers put together from its files: each has its part under the same name in every format.
import type { Dialect } from './dialect.ts'
import type { Frame } from './frame.ts'
import { createCallAssembler, type HeardEvent } from './tool-calls/assembler.ts'

/** What a format says of itself. */
type Facts = Pick<Dialect, 'name' | 'paths' | 'words' | 'usageKeys' | 'modelKeys' | 'idPrefix' | 'buckets'> &
  Pick<Dialect, 'proves' | 'headers' | 'count' | 'answerId'> &
  Pick<Dialect, 'objects' | 'withUsage' | 'tidy' | 'writeFailedStream'>

interface Parts extends Pick<
  Dialect,
  | ('headFields' | 'readHead' | 'readRequest' | 'writeRequest' | 'withProofs' | 'patchRequest')
  | ('writeReply' | 'readWhole' | 'outputEstimate')
  | ('readError' | 'writeError' | 'writeErrorFrame')
> {
  createWatcher: Dialect['watcher']
  createReader(): (frame: Frame) => HeardEvent[]
  readReply(body: Uint8Array): HeardEvent[]
  createWriter: Dialect['writer']
}

/** `parts`: the files of a format, spread; what else they export is not taken. */
export const codec = (facts: Facts, parts: Parts): Dialect => ({
  operation: 'chat',
  ...facts,
  headFields: parts.headFields,
  readHead: parts.readHead,
  readRequest: parts.readRequest,
  writeRequest: parts.writeRequest,
  withProofs: parts.withProofs,
  patchRequest: parts.patchRequest,
  watcher: parts.createWatcher,
  reader() {
    const read = parts.createReader()
    const assembled = createCallAssembler()
    return (frame) => read(frame).flatMap(assembled)
  },
  writer: parts.createWriter,
  readReply: (body) => parts.readReply(body).flatMap(createCallAssembler()),
  writeReply: parts.writeReply,
  readWhole: parts.readWhole,
  outputEstimate: parts.outputEstimate,
  readError: parts.readError,
  writeError: parts.writeError,
  writeErrorFrame: parts.writeErrorFrame,
})
