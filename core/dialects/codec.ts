// Assembles a caller format from its files. Each part has the same name in every format.
import type { Dialect } from './dialect.ts'
import type { SseFrame } from './answers/frames.ts'
import { createCallAssembler, type UnassembledEvent } from './tool-calls/assembler.ts'

/** The declared properties of a format. */
type Facts = Pick<Dialect, 'name' | 'paths' | 'words' | 'usageKeys' | 'modelKeys' | 'idPrefix' | 'buckets'> &
  Pick<Dialect, 'proves' | 'headers' | 'count' | 'answerId'> &
  Pick<Dialect, 'objects' | 'withUsage' | 'tidy' | 'writeFailedStream' | 'finalStatus'>

interface DialectParts extends Pick<
  Dialect,
  | (
      | 'headFields'
      | 'readRequestHead'
      | 'readModelRequest'
      | 'writeModelRequest'
      | 'convertReasoningSignatures'
      | 'patchRequestBody'
    )
  | ('writeWholeReply' | 'readAnswerReport' | 'estimateOutputTokens')
  | ('readErrorReply' | 'writeErrorReply' | 'writeErrorFrame')
> {
  createWatcher: Dialect['watcher']
  createStreamReader(): (frame: SseFrame) => UnassembledEvent[]
  readWholeReply(body: Uint8Array): UnassembledEvent[]
  createStreamWriter: Dialect['writer']
}

/** Builds a dialect. `parts` are the exports of a format's files; others are ignored. */
export const assembleDialect = (facts: Facts, parts: DialectParts): Dialect => ({
  operation: 'chat',
  ...facts,
  headFields: parts.headFields,
  readRequestHead: parts.readRequestHead,
  readModelRequest: parts.readModelRequest,
  writeModelRequest: parts.writeModelRequest,
  convertReasoningSignatures: parts.convertReasoningSignatures,
  patchRequestBody: parts.patchRequestBody,
  watcher: parts.createWatcher,
  reader() {
    const read = parts.createStreamReader()
    const assembled = createCallAssembler()
    return (frame) => read(frame).flatMap(assembled)
  },
  writer: parts.createStreamWriter,
  readWholeReply: (body) => parts.readWholeReply(body).flatMap(createCallAssembler()),
  writeWholeReply: parts.writeWholeReply,
  readAnswerReport: parts.readAnswerReport,
  estimateOutputTokens: parts.estimateOutputTokens,
  readErrorReply: parts.readErrorReply,
  writeErrorReply: parts.writeErrorReply,
  writeErrorFrame: parts.writeErrorFrame,
})
