// Recorded chats, played as upstream: their own client reads through Weir what it reads without, byte for byte, and the clients
// of all other formats read the same answer in theirs. `npm test` plays as many as show each provider with each of its formats,
// each format to each client, streamed and whole, and each feature to an own and to another client.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { coverTraits } from '../support/cover-traits.ts'
import { listFailures } from '../support/list-failures.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { anthropicClient } from './clients/anthropic.ts'
import { cases, clients, refusals, type Case } from './cases.ts'
import { openWorld, type World } from './channels.ts'
import {
  bytesOf,
  bytesThrough,
  createReferences,
  heardOf,
  heardThrough,
  lastRow,
  parsedThrough,
  wordsIn,
  type Failed,
  type Heard,
  type References,
} from './check.ts'
import { promptIn, withParts } from './faults.ts'
import { isEmptySaying, type Saying } from './saying.ts'

const nameCase = ({ recording, client }: Case): string =>
  `${recording.provider} ${recording.api} ${recording.id} to ${client.name}`

const listTraits = ({ recording, own, client, streamed }: Case): string[] => [
  `${recording.provider} ${recording.api}`,
  `${own.name} to ${client.name}, ${streamed ? 'streamed' : 'whole'}`,
  `${client.name}, status ${recording.response.status}`,
  ...recording.features,
]
const unchanged = coverTraits(
  cases.filter(({ own, client }) => own === client),
  listTraits,
)
const translated = coverTraits(
  cases.filter(({ own, client }) => own !== client),
  listTraits,
)
const refused = coverTraits(refusals, ({ recording, client }) => [
  recording.provider,
  recording.api,
  `${client.name}, status ${recording.response.status}`,
])
/** All cases of a client are one test. */
const TIMEOUT_MS = 600_000

/** No price list of these tests' models: reports larger than a short request could have used are not believed. */
const BELIEVED = 30_000

/** Arguments that are no JSON make Anthropic's client raise at the end of a stream, as they would without Weir. */
const isUnreadable = ({ client }: Case, { calls }: Saying, { failed }: Heard, streamed: boolean): boolean =>
  streamed && client === anthropicClient && Boolean(failed) && calls.some((call) => typeof call.arguments === 'string')

/** Some clients show the error's JSON, where the words are escaped. */
const letters = (text: string): string => text.replace(/\\n|[\s\\"]/g, '')

describe('recorded chats', () => {
  let world: World
  /** Without Weir in front. */
  let bare: TestUpstream
  let references: References
  beforeAll(async () => {
    // Anthropic's client tells which models are old.
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world = await openWorld([...unchanged, ...translated, ...refused].map(({ place }) => place))
    bare = await startUpstream()
    references = createReferences(bare)
  }, 120_000)
  afterAll(() => Promise.all([world.close(), bare.close()]))

  it.each(clients)('are unchanged to their own client: $name', { timeout: TIMEOUT_MS }, async (reader) => {
    const own = unchanged.filter(({ client }) => client === reader)
    const failures = await listFailures(own, nameCase, async (one) => {
      const { said } = await references.heard(one)
      const through = await parsedThrough(world, one)
      const direct = await references.parsed(one)
      if (!said) return expectFailure(one, heardOf(one.client, through).failed, direct.error)
      if (isEmptySaying(said)) return expectEmpty(heardOf(one.client, through).failed)
      expect(through).toEqual(direct)
      await expectCharged(one, said)
      expect(await bytesThrough(world, one)).toEqual(bytesOf(one))
    })
    expect(failures).toEqual([])
    expect(own.length).toBeGreaterThan(0)
  })

  it.each(clients)('are the same to the client of another format: $name', { timeout: TIMEOUT_MS }, async (reader) => {
    const other = translated.filter(({ client }) => client === reader)
    const failures = await listFailures(other, nameCase, async (one) => {
      const { said } = await references.heard(one)
      // Also as a stream if it was recorded whole, and whole if it was a stream.
      for (const streamed of [one.streamed, !one.streamed]) {
        const through = await heardThrough(world, one, streamed)
        if (!said) await expectFailure(one, through.failed)
        else if (isEmptySaying(said)) await expectEmpty(through.failed)
        else if (!isUnreadable(one, said, through, streamed)) {
          expect(through.failed, streamed ? 'streamed' : 'whole').toBeUndefined()
          const { usage, ...words } = one.client.able(said)
          expect(through.said, streamed ? 'streamed' : 'whole').toMatchObject(words)
          // Formats that have to count tell our own estimate where the provider did not count.
          if (usage) expect(through.said!.usage).toEqual(withParts(usage, one.recording))
          await expectCharged(one, said)
        }
      }
    })
    expect(failures).toEqual([])
    expect(other.length).toBeGreaterThan(0)
  })

  it('are refused to every client as they were to their own', { timeout: TIMEOUT_MS }, async () => {
    const failures = await listFailures(refused, nameCase, async (one) =>
      expectFailure(one, (await heardThrough(world, one)).failed),
    )
    expect(failures).toEqual([])
  })

  /** The error has the provider's status and words, and the client raises its class for it; nothing is charged. */
  async function expectFailure({ recording, plain }: Case, failed?: Failed, direct?: Failed) {
    const { status } = recording.response
    expect(failed, 'it fails').toBeDefined()
    if (status >= 400) expect(failed).toMatchObject({ status, ...(direct ? { name: direct.name } : {}) })
    else if (failed!.status !== undefined) expect(failed!.status).toBeGreaterThanOrEqual(400)
    // Who is told to wait is not told by whom.
    const words = failed!.status === 429 ? 'saturated' : wordsIn(plain)
    expect(letters(failed!.message)).toContain(letters(words))
    const row = await lastRow(world)
    expect(row.type === 5 ? row.quota : 0).toBe(0)
  }

  async function expectEmpty(failed?: Failed) {
    expect(failed?.message).toContain('without anything in it')
    expect((await lastRow(world)).quota).toBe(0)
  }

  /** The log row counts what the provider reported; where it reported nothing, an estimate. */
  async function expectCharged({ recording }: Case, { usage, text }: Saying) {
    const row = await lastRow(world)
    if (usage && usage.prompt < BELIEVED) {
      const { prompt, completion } = withParts(usage, recording)
      expect([promptIn(row), row.completion_tokens]).toEqual([prompt, completion])
      expect(row.other).not.toContain('"estimated":true')
    } else if (!usage && text) expect(row.other, recording.id).toContain('"estimated":true')
    if (text) expect(row.quota).toBeGreaterThan(0)
  }
})
