// Storage that fails under a running gateway, a sample: all of it is played by page.ts, and stands in ../STORAGE.md.
import { describe, expect, inject, it } from 'vitest'
import type { StorageEvent } from './event.ts'
import { events } from './events.ts'
import { play } from './rig.ts'
import { openWorld, type World } from './world.ts'

const RATE = 20
const LASTS_MS = 1_500
const SAMPLE: Record<World['kind'], readonly string[]> = {
  sqlite: ['the file is deleted, and put back'],
  postgres: [
    'backends are terminated again and again (57P01)',
    'the network is cut behind a commit: its result is unknown',
    'charges are told that the server is read-only (25006)',
  ],
}

describe.each(['sqlite', 'postgres'] as const)('calls while storage fails, on %s', (kind) => {
  it('lose no charge and make none twice, and nobody has to restart anything', { timeout: 180_000 }, async () => {
    const server = { url: inject('postgresUrl'), databaseDir: '', start: nothing, stop: nothing }
    const world = await openWorld({ processes: 1, rate: RATE, ...(kind === 'postgres' ? { server } : {}) })
    try {
      for (const name of SAMPLE[kind]) {
        const event = events.find((each) => each.name === name) as StorageEvent
        const { problems, saw } = await play(world, { ...event, lasts_ms: LASTS_MS })
        expect(problems, name).toEqual([])
        expect(saw.whole + saw.refused, name).toBeGreaterThan(0)
      }
      expect(await world.compare()).toEqual([])
    } finally {
      await world.close()
    }
  })
})

const nothing = async () => undefined
