// A crash between the credit and the code's status: the entry decides, and the status is put right later.
import { expect, test } from 'vitest'
import { openCaller, openMemoryGateway } from '../gateway.ts'

test('a code that was credited is refused, and shown as used, although its status was never written', async () => {
  let crashed = true
  const gateway = await openMemoryGateway({
    wrap: (storage) => ({
      ...storage,
      redemptions: {
        ...storage.redemptions,
        markUsed: (id, by) =>
          crashed ? Promise.reject(new Error('the process is gone')) : storage.redemptions.markUsed(id, by),
      },
    }),
  })
  const root = await gateway.as('root')
  const { codes } = (await gateway.ask(root, 'redemptions.create', { name: 'one', quota: 500 })) as {
    codes: { key: string }[]
  }
  const key = codes[0]?.key
  const ada = await openCaller(gateway, { quota: 0 })
  const balance = async () => (await gateway.storage.users.find(ada.user.id))?.quota
  await expect(gateway.ask(ada, 'redemptions.redeem', { key })).rejects.toThrow('the process is gone')
  expect(await balance()).toBe(500)
  expect(await gateway.ask(root, 'redemptions.get', { id: 1 })).toMatchObject({ status: 1 })

  crashed = false
  expect(await gateway.refusal(root, 'redemptions.redeem', { key })).toBe('redemption.used')
  const { id: used_user_id } = ada.user
  expect(await gateway.ask(root, 'redemptions.get', { id: 1 })).toMatchObject({ status: 3, used_user_id })
  expect(await balance()).toBe(500)
  await gateway.close()
})
