// Tests of channels and their results. A failing test is a result, not an error.
import type { Channel } from '../core/channels/channel.ts'
import type { WeirClient } from '../core/contracts.ts'
import type { Language } from '../core/errors.ts'
import { toCliFailure, GatewayUnreachable } from './failure.ts'

export interface ChannelTest {
  id: number
  name: string
  ok: boolean
  /** Duration in seconds. */
  time?: number
  message?: string
}

interface ChannelTestOptions {
  model?: string
  /** Fingerprint of the tested key, if the channel has several. */
  key?: string
  language: Language
  /** Called after each test with the number of finished tests. */
  onEach?(done: number): void
}

/** Tests the channels one after the other, so that no test slows another down. */
export async function testChannelsInTurn(
  weir: WeirClient,
  channels: readonly Channel[],
  { model, key, language, onEach }: ChannelTestOptions,
): Promise<ChannelTest[]> {
  const results: ChannelTest[] = []
  for (const { id, name } of channels) {
    try {
      const { time } = await weir.channels.test({ id, model, key })
      results.push({ id, name, ok: true, time })
    } catch (error) {
      // No further test would get through either.
      if (error instanceof GatewayUnreachable) throw error
      results.push({ id, name, ok: false, message: toCliFailure(error, language)?.message })
    }
    onEach?.(results.length)
  }
  return results
}
