// How long a channel may take to say something before the next one is tried.
import type { RoutedChannel } from '../channels/routed-channel.ts'
import { limitMs } from '../channels/channel.ts'
import { GatewayError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Signal } from '../ports/signal.ts'
import type { Settings } from '../settings/index.ts'
import { createAbortSource } from './stop.ts'

type Limits = Pick<Settings, 'relay.first_content_seconds' | 'relay.idle_timeout_seconds'>

/** Longest wait for the head of an answer, in ms; 0 for no limit. */
export const getHeadTimeoutMs = (
  { settings: own }: RoutedChannel,
  model: string,
  settings: Pick<Settings, 'relay.head_seconds'>,
) => limitMs(own.head_timeout_seconds, model) ?? settings['relay.head_seconds'] * 1000

/** Longest wait for a stream's first content, in ms; 0 for no limit. The channel's own word comes first. */
export const getFirstContentTimeoutMs = ({ settings: own }: RoutedChannel, model: string, settings: Limits): number =>
  limitMs(own.first_content_timeout_seconds, model) ?? settings['relay.first_content_seconds'] * 1000

/** Longest silence inside an answer, in ms; 0 for no limit. */
export const getIdleTimeoutMs = ({ settings: own }: RoutedChannel, model: string, settings: Limits): number =>
  limitMs(own.idle_timeout_seconds, model) ?? settings['relay.idle_timeout_seconds'] * 1000

export interface Deadline {
  /** Aborted when the time is up or the caller hangs up. */
  signal: Signal
  /** The failure, once the time is up. */
  passed(): GatewayError | undefined
  /** The first content has come: from here on only the caller's hanging up aborts. */
  met(): void
}

/** Starts to count. */
export function createDeadline(clock: Clock, ms: number, caller: Signal): Deadline {
  const ended = createAbortSource()
  let failure: GatewayError | undefined
  const follow = () => ended.now(caller.reason)
  if (caller.aborted) follow()
  else caller.addEventListener('abort', follow, { once: true })
  const stop = clock.every(ms, () => {
    stop()
    failure = new GatewayError('upstream.slow', { seconds: ms / 1000 })
    ended.now(failure)
  })
  return { signal: ended.signal, passed: () => failure, met: () => stop() }
}
