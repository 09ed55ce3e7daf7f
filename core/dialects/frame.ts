// What a stream is made of.

/** One server-sent event. */
export interface Frame {
  event?: string
  data: string
}

/** What leaves for the caller: an event written by us, or a run of the provider's bytes that passes as it is. */
export type Piece = Frame | Uint8Array

/** No frame of a stream may be larger (a whole image in one event is below it). */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024
