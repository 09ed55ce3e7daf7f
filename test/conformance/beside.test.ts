// Every recorded answer other than chat, played through a channel of its type, reaches the client unchanged.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFailures } from '../support/list-failures.ts'
import { textOf } from '../support/replay.ts'
import { recorded } from '../support/upstream.ts'
import { besideChat, type Beside } from './beside.ts'
import { openWorld, type World } from './channels.ts'
import { lastRow, throughWeir, wordsIn } from './check.ts'

const nameCase = ({ recording }: Beside): string => `${recording.provider} ${recording.api} ${recording.id}`

describe('recorded answers beside chat', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(besideChat.map(({ place }) => place))
  }, 60_000)
  afterAll(() => world.close())

  it('come through as they are, and cost what they report', { timeout: 120_000 }, async () => {
    expect(await listFailures(besideChat, nameCase, playAnswer)).toEqual([])
    expect(besideChat.length).toBeGreaterThan(0)
  })

  async function playAnswer({ recording, path, headers, body, compared }: Beside): Promise<void> {
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
  }
})
