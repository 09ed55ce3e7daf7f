// A database file that is deleted while the server runs: detected, reported, and no charge is written to the deleted
// file.
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { costs, openWorld } from '../core/quota/world.ts'
import { ports } from '../support/databases.ts'

const SECONDS = { timeout: 5_000, interval: 50 }

test.each(['deleted', 'replaced'] as const)('a file that is %s', { timeout: 30_000 }, async (how) => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-file-'))
  const errors: string[] = []
  const logger = { ...ports().logger, error: (message: string) => void errors.push(message) }
  const world = await openWorld(({ clock }) => openStorage({ folder, ...ports(), clock, logger }))
  const { ledger, clock } = world
  const hold = await ledger.hold(world.byUser, 100)
  const [file, aside] = [join(folder, 'weir.db'), join(folder, 'aside.db')]
  await rename(file, aside)
  if (how === 'replaced') await copyFile(aside, file)

  await vi.waitFor(() => expect(errors).toContainEqual(expect.stringContaining('deleted or replaced')), SECONDS)
  for (let at = 0; at < 3; at++) {
    clock.advance(10_000)
    await expect(ledger.hold(world.byUser, 1)).rejects.toMatchObject({ code: 'storage.away' })
  }
  let settled = false
  const charge = ledger.settle(hold, costs(100)).then(() => (settled = true))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(settled).toBe(false)

  await rename(aside, file)
  await vi.waitFor(() => {
    clock.advance(2_000)
    expect(settled).toBe(true)
  }, SECONDS)
  await charge
  expect(await world.balance()).toBe(900)
  await ledger.close()
  await world.storage.close()
  await rm(folder, { recursive: true, force: true })
})
