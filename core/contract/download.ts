// A reply that is a file, sent while it is generated.
import { z } from 'zod'

export interface FileReply {
  content_type: string
  filename: string
  /** Text, or bytes for binary files. */
  pieces: AsyncIterable<string | Uint8Array>
}

export const isFile = (reply: unknown): reply is FileReply =>
  typeof reply === 'object' && reply !== null && Symbol.asyncIterator in Object(Object(reply).pieces)

/** The reply of an endpoint that gives a file instead of an envelope. */
export const Download = z.custom<FileReply>(isFile)
