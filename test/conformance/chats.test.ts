// Every recorded chat, played as upstream: its own client reads through Weir what it reads without, byte for byte, and
// the clients of all other formats read the same answer in theirs.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { recordingsHere, recordingsTitle } from '../support/recordings.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { anthropicClient } from './clients/anthropic.ts'
import { cases, refusals, type Case } from './cases.ts'
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
import { page, PAGE } from './page.ts'
import type { Saying } from './saying.ts'

const named = (some: readonly Case[]) =>
  some.map(
    (one) => [`${one.recording.provider} ${one.recording.api} ${one.recording.id}`, one.client.name, one] as const,
  )

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
    world = await openWorld([...cases, ...refusals].map(({ place }) => place))
    bare = await startUpstream()
    references = createReferences(bare)
  }, 120_000)
  afterAll(() => Promise.all([world.close(), bare.close()]))

  it.each(named(cases.filter(({ own, client }) => own === client)))('%s: unchanged to %s', async (_, _client, one) => {
    const { said } = await references.heard(one)
    const through = await parsedThrough(world, one)
    const direct = await references.parsed(one)
    if (!said) return expectFailure(one, heardOf(one.client, through).failed, direct.error)
    expect(through).toEqual(direct)
    await expectCharged(one, said)
    expect(await bytesThrough(world, one)).toEqual(bytesOf(one))
  })

  it.each(named(cases.filter(({ own, client }) => own !== client)))('%s: the same to %s', async (_, _client, one) => {
    const { said } = await references.heard(one)
    // Also as a stream where it was whole, and whole where it was a stream.
    for (const streamed of [one.streamed, !one.streamed]) {
      const through = await heardThrough(world, one, streamed)
      if (!said) await expectFailure(one, through.failed)
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

  it.each(named(refusals))('%s: refused to %s', async (_, _client, one) => {
    await expectFailure(one, (await heardThrough(world, one)).failed)
  })

  it.skipIf(!recordingsHere)(recordingsTitle('the page says what was played and compared'), async () => {
    expect(readFileSync(PAGE, 'utf8'), 'run npx tsx test/conformance/page.ts').toBe(await page(references))
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
