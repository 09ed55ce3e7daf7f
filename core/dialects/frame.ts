// The parts of a stream.

/** One server-sent event. */
export interface Frame {
  event?: string
  data: string
}

/** Output for the caller: an event that we wrote, or a run of the provider's bytes that passes unchanged. */
export type Piece = Frame | Uint8Array

/** Maximum size of a frame in bytes (a whole image in one event is below it). */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024
