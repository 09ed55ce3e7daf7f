// Something that happens to storage while calls go on.
import type { World } from './world.ts'

export interface StorageEvent {
  name: string
  kind: 'sqlite' | 'postgres'
  /** How long it lasts, in ms. */
  lasts_ms: number
  /** Begins it, and gives its end. */
  begin(world: World): Promise<() => Promise<void> | void>
  /** Needs a disk that can fail. */
  disk?: true
  /** Needs two processes. */
  two?: true
  /** Calls go on: none is refused. */
  goesOn?: true
  /** What a process has to say of it. */
  said?: RegExp
}
