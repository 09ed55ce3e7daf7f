// Looking at streams whose bytes pass through.
import type { Usage } from './usage.ts'
import type { CallFailure } from './call-failure.ts'
import type { Frame } from './frame.ts'
import type { NamedObject } from './object-places.ts'
import type { Sound } from './sound.ts'

/** What a look at a run of a stream's bytes found, without reading all of it. */
export interface StreamFinding {
  /** The bytes to pass on now: whole frames, less what the caller must not see. */
  pass: Uint8Array[]
  /** Frames with content (text, reasoning, tool calls) in this run. */
  content: boolean
  /** The stream's end mark was in this run; it is not in `pass`. */
  ended: boolean
  /** What ends the stream, to be sent once the call is settled: with `ended`, unless nothing ends one. */
  end?: Uint8Array
  usage?: Usage
  failure?: CallFailure
  /** The provider will not answer, or not go on, and says so in frames that pass as they are. */
  blocked?: CallFailure
  /** Objects that the provider keeps, given in this run. */
  objects?: NamedObject[]
  /** The last proof of thought in this run. */
  proof?: string
  /** A conversation that the provider has summed up and encrypted, given in this run. */
  compaction?: string
}

/** Watches a stream of this dialect whose bytes pass through. Memory does not grow with the stream. */
export interface Watcher {
  /**
   * Behind the end or a failure only what is reported counts: nothing passes then.
   * @throws GatewayError upstream.unreadable when one frame is larger than `MAX_FRAME_BYTES`
   */
  look(bytes: Uint8Array): StreamFinding
  /**
   * The bytes are over, or nobody waits for more: what is left to say. `ended` where the stream had finished, if without
   * an end mark; where it had ended before, `end` is what ends it, if what followed has a part in that.
   */
  close(): StreamFinding
  /** Ends the stream here, as an answer that was too long; only of streams that are written anew. */
  cut?(): StreamFinding
  /** Writes the end of a stream that breaks off; without it only the failure is written. */
  breakOff?(failure: CallFailure): Frame[] | undefined
  /** Tokens of output seen so far, roughly: what is charged when the provider never reports. */
  outputEstimate(): number
  /** Sound seen so far, which is not in that. */
  sound(): Readonly<Sound>
  /** True after content other than thoughts, or after a regular end. Before, it is an empty answer. */
  answered(): boolean
  /** True once the stream said that it finished (a finish reason, or its end mark). */
  finished(): boolean
}
