// The interface of watchers of streams that pass through.
import type { Usage } from './usage.ts'
import type { CallFailure } from './call-failure.ts'
import type { Frame } from './frame.ts'
import type { NamedObject } from './object-places.ts'
import type { Sound } from './sound.ts'

/** The facts that a watcher found in a run of a stream's bytes, without parsing all of it. */
export interface StreamFinding {
  /** The bytes to pass on now: whole frames, without those that the caller must not see. */
  pass: Uint8Array[]
  /** Frames with content (text, reasoning, tool calls) in this run. */
  content: boolean
  /** The stream's end mark was in this run; it is not in `pass`. */
  ended: boolean
  /** The bytes that end the stream, sent once the call is settled. Set with `ended`, unless the format has no end. */
  end?: Uint8Array
  usage?: Usage
  failure?: CallFailure
  /** Set if the provider refuses to answer or stops, in frames that pass unchanged. */
  blocked?: CallFailure
  /** Objects stored at the provider that occur in this run. */
  objects?: NamedObject[]
  /** The last reasoning signature in this run. */
  proof?: string
  /** A conversation summary in this run that the provider has encrypted. */
  compaction?: string
}

/** Watches a stream of this dialect whose bytes pass through. Memory does not grow with the stream. */
export interface Watcher {
  /**
   * After the end or a failure only reports count: nothing is passed on.
   * @throws GatewayError upstream.unreadable if one frame is larger than `MAX_FRAME_BYTES`
   */
  look(bytes: Uint8Array): StreamFinding
  /**
   * Ends the watch when the bytes end or the client has gone, and returns the rest. `ended` is set if the stream had
   * finished, even without an end mark; if it had ended before, `end` has its final bytes if later frames belong to
   * them.
   */
  close(): StreamFinding
  /** Ends the stream here because the answer is too long. Only for translated streams. */
  cut?(): StreamFinding
  /** Writes the end of a stream that breaks off; if undefined, only the failure is written. */
  breakOff?(failure: CallFailure): Frame[] | undefined
  /** Estimates the output tokens so far: charged if the provider never reports usage. */
  outputEstimate(): number
  /** Audio so far, which is not included in the estimate. */
  sound(): Readonly<Sound>
  /** True after content other than reasoning, or after a regular end. Until then the answer is empty. */
  answered(): boolean
  /** True once the stream has finished (a finish reason, or its end mark). */
  finished(): boolean
}
