// Every recorded answer beside chat, played as upstream through a channel of its type: it comes through as it is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOf } from '../support/replay.ts'
import { recorded } from '../support/upstream.ts'
import { besideChat } from './beside.ts'
import { openWorld, type World } from './channels.ts'
import { lastRow, throughWeir, wordsIn } from './check.ts'

const named = besideChat.map(
  (one) => [`${one.recording.provider} ${one.recording.api} ${one.recording.id}`, one] as const,
)

describe('recorded answers beside chat', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(besideChat.map(({ place }) => place))
  }, 60_000)
  afterAll(() => world.close())

  it.each(named)('%s', async (_, { recording, path, headers, body, compared }) => {
    world.answer(recorded(recording))
    const { url, key } = throughWeir(world)
    const before = (await world.ada.balances()).quota
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
      body,
    })
    const text = await answer.text()
    const charged = before - (await world.ada.balances()).quota
    expect(answer.status).toBe(recording.response.status)
    if (answer.status !== 200) {
      expect(text).toContain(JSON.stringify(wordsIn(recording).slice(0, 40)).slice(1, -1))
      return expect(charged).toBe(0)
    }
    expect(compared(text)).toEqual(compared(textOf(recording)))
    if (path.includes('ount')) return expect(charged).toBe(0)
    const row = await lastRow(world)
    expect(row.quota).toBe(charged)
    expect(charged).toBeGreaterThan(0)
    const { usage } = (recording.response.body ?? {}) as { usage?: Record<string, number> }
    const reported = usage?.prompt_tokens ?? usage?.input_tokens ?? usage?.total_tokens
    if (reported) expect(row.prompt_tokens).toBe(reported)
  })
})
