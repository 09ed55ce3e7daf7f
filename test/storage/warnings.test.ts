// A warning is sent once over all processes, and remembered over a restart.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { describeWithStorage, ports } from '../support/databases.ts'
import { newUser } from './samples.ts'

const NOW = 1_760_000_000
const PAUSE = 7200

describeWithStorage('the warning store', (open) => {
  test('lets one of many claim a warning, and the next after the pause', async () => {
    const { users, warnings } = await open()
    const { id } = await users.insert(newUser())
    const bob = await users.insert(newUser({ username: 'bob' }))
    const claims = await Promise.all(Array.from({ length: 8 }, () => warnings.claim(id, NOW, PAUSE)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await warnings.claim(bob.id, NOW, PAUSE)).toBe(true)
    expect(await warnings.claim(id, NOW + PAUSE - 1, PAUSE)).toBe(false)
    expect(await warnings.claim(id, NOW + PAUSE, PAUSE)).toBe(true)
    expect(await warnings.claim(999, NOW, PAUSE)).toBe(false)
  })
})

test('a restart on sqlite forgets no warning', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-warnings-'))
  const first = await openStorage({ folder, ...ports() })
  const { id } = await first.users.insert(newUser())
  expect(await first.warnings.claim(id, NOW, PAUSE)).toBe(true)
  await first.close()
  const second = await openStorage({ folder, ...ports() })
  expect(await second.warnings.claim(id, NOW + 60, PAUSE)).toBe(false)
  expect(await second.warnings.claim(id, NOW + PAUSE, PAUSE)).toBe(true)
  await second.close()
  await rm(folder, { recursive: true, force: true })
})
