// Tests channels and collects what came of it; a failing test is a result, not an error.
import type { Channel } from '../core/channels/channel.ts'
import type { WeirClient } from '../core/contracts.ts'
import type { Language } from '../core/errors.ts'
import { toCliFailure, Unreachable } from './failure.ts'

export interface ChannelTest {
  id: number
  name: string
  ok: boolean
  /** Seconds. */
  time?: number
  message?: string
}

interface How {
  model?: string
  /** Fingerprint of one of several keys. */
  key?: string
  language: Language
  /** Told after each, with how many are done. */
  onEach?(done: number): void
}

/** Tests one after the other, so that no test slows another down. */
export async function testChannels(
  weir: WeirClient,
  channels: readonly Channel[],
  { model, key, language, onEach }: How,
): Promise<ChannelTest[]> {
  const results: ChannelTest[] = []
  for (const { id, name } of channels) {
    try {
      const { time } = await weir.channels.test({ id, model, key })
      results.push({ id, name, ok: true, time })
    } catch (error) {
      // Then no further test will get through either.
      if (error instanceof Unreachable) throw error
      results.push({ id, name, ok: false, message: toCliFailure(error, language)?.message })
    }
    onEach?.(results.length)
  }
  return results
}
