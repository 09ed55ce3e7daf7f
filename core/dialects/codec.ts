// Assembles a caller format from its files. Each part has the same name in every format.
import type { Dialect } from './dialect.ts'
import type { Frame } from './frames.ts'
import { createCallAssembler, type ReaderEvent } from './tool-calls/assembler.ts'

/** The declared properties of a format. */
type Facts = Pick<Dialect, 'name' | 'paths' | 'words' | 'usageKeys' | 'modelKeys' | 'idPrefix' | 'buckets'> &
  Pick<Dialect, 'proves' | 'headers' | 'count' | 'answerId'> &
  Pick<Dialect, 'objects' | 'withUsage' | 'tidy' | 'writeFailedStream' | 'finalStatus'>

interface Parts extends Pick<
  Dialect,
  | ('headFields' | 'readHead' | 'readRequest' | 'writeRequest' | 'withProofs' | 'patchRequest')
  | ('writeReply' | 'readWhole' | 'outputEstimate')
  | ('readError' | 'writeError' | 'writeErrorFrame')
> {
  createWatcher: Dialect['watcher']
  createReader(): (frame: Frame) => ReaderEvent[]
  readReply(body: Uint8Array): ReaderEvent[]
  createWriter: Dialect['writer']
}

/** Builds a dialect. `parts` are the exports of a format's files; others are ignored. */
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
