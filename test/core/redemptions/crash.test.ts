// A release before this one wrote the credit first and the code's status next: after a crash between them the entry decides, and
// the status is put right later.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectSqlite } from '../../../core/adapters/knex/connection/connection.ts'
import { silent } from '../../support/databases.ts'
import { openCaller, openMemoryGateway } from '../gateway.ts'

test('a code that was credited is refused, and shown as used, although its status was never written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-crash-'))
  const gateway = await openMemoryGateway({ place: { folder } })
  const raw = await connectSqlite(folder, silent)
  const root = await gateway.as('root')
  const { codes } = (await gateway.ask(root, 'redemptions.create', { name: 'one', quota: 500 })) as {
    codes: { key: string }[]
  }
  const key = codes[0]?.key
  const ada = await openCaller(gateway, { quota: 0 })
  const balance = async () => (await gateway.storage.users.find(ada.user.id))?.quota
  await gateway.ask(ada, 'redemptions.redeem', { key })
  await raw.write('redemptions').update({ status: 1, used_user_id: 0, redeemed_time: 0 })
  expect(await balance()).toBe(500)
  expect(await gateway.ask(root, 'redemptions.get', { id: 1 })).toMatchObject({ status: 1 })

  expect(await gateway.refusal(root, 'redemptions.redeem', { key })).toBe('redemption.used')
  const { id: used_user_id } = ada.user
  expect(await gateway.ask(root, 'redemptions.get', { id: 1 })).toMatchObject({ status: 3, used_user_id })
  expect(await balance()).toBe(500)
  await raw.close()
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})
