// An answer that has begun, in the caller's own format.
import type { Buckets } from '../../dialects/buckets.ts'
import type { CallFailure } from '../../dialects/call-failure.ts'
import type { Piece } from '../../dialects/frame.ts'
import type { NamedObject } from '../../dialects/object-places.ts'
import type { Usage } from '../../dialects/usage.ts'
import type { Watcher } from '../../dialects/glance.ts'
import type { Runs } from '../../ports/upstream.ts'
import type { UsageReaders } from './last-words.ts'

/** An answer that has begun, and how it was asked for. */
export type Answer = (WholeAnswer | StreamAnswer) & {
  upstream_model: string
  /** Names what the provider's format has no word for. */
  dropped: string[]
  /** The provider speaks the caller's own format. */
  same: boolean
  /** Where the provider counts what is cached, if its format says so. */
  cached: Buckets['cache_read'] | undefined
}

export interface WholeAnswer {
  kind: 'whole'
  body: Uint8Array
  usage: Usage | undefined
  /** Objects that the provider keeps, given in it. */
  objects?: readonly NamedObject[]
  /** It says that the provider would not answer, or not go on. */
  blocked?: CallFailure
  content_type?: string
}

/** `rest` goes on where `pieces` stop. */
export interface StreamAnswer {
  kind: 'stream'
  /** What was kept back until the first content, and the content. */
  pieces: Piece[]
  /** The end mark has come already. */
  ended: boolean
  watcher: Watcher
  /** What ends it, once it has ended. */
  end?: Uint8Array
  usage: Usage | undefined
  /** Objects that the provider keeps, given so far. */
  objects?: readonly NamedObject[]
  rest: Runs
  /** What its provider reports behind it. */
  behind?: UsageReaders['behind']
  /** It broke right behind its first content. */
  failure?: CallFailure
  /** It says that the provider would not answer, or not go on. */
  blocked?: CallFailure
  /** Of an answer that is no stream of events: bytes that pass as they come. */
  content_type?: string
}
