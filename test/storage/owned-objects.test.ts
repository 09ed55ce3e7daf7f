// The owner of a provider's object is the first account: written with a charge, permanent, and found by its items until
// they expire.
import { expect, test } from 'vitest'
import type { OwnedObject } from '../../core/calls/owned-object.ts'
import { describeWithStorage } from '../support/databases.ts'
import { ledgerWrite } from './samples.ts'

const row = (more: Partial<OwnedObject>): OwnedObject => ({
  ...{ kind: 'file', id: 'file-1', channel_id: 3, key: 'k', account_id: 1, user_id: 1, token_id: 2, model: 'm' },
  ...{ stem: '', items: '', created_at: 1000, expires_at: null },
  ...more,
})

describeWithStorage('the store of owned objects', (open) => {
  const opened = async () => {
    const { ledger, ownedObjects } = await open()
    const keep = (...objects: OwnedObject[]) => ledger.commit(ledgerWrite({ objects }))
    return { ledger, keep, ownedObjects }
  }

  test('gives back who got an object first, whichever way the commit is written', async () => {
    const { ledger, keep, ownedObjects } = await opened()
    await keep(row({}), row({ kind: 'container', expires_at: 5000 }))
    await ledger.transact(async (transaction) =>
      transaction.write(ledgerWrite({ objects: [row({ account_id: 9, channel_id: 8 })] })),
    )
    const both = [row({}), row({ kind: 'container', expires_at: 5000 })]
    const found = await ownedObjects.find([...both, { kind: 'prompt', id: 'file-1' }], 4999)
    expect(found.sort((a, b) => (a.kind < b.kind ? 1 : -1))).toEqual(both)
    expect(await ownedObjects.find([], 0)).toEqual([])
    // An object that has ended is unknown; its account may learn that it lasts longer, and nobody else.
    expect(await ownedObjects.find([both[1]!], 5000)).toEqual([])
    await keep(row({ kind: 'container', expires_at: 9000, account_id: 9 }))
    expect(await ownedObjects.find([both[1]!], 5000)).toEqual([])
    await keep(row({ kind: 'container', expires_at: 9000 }))
    expect(await ownedObjects.find([both[1]!], 5000)).toMatchObject([{ account_id: 1, expires_at: 9000 }])
    await ownedObjects.forget(9001)
    await ownedObjects.remove(both[0]!)
    expect(await ownedObjects.find(both, 0)).toEqual([])
  })

  test('finds the answer of an item by what its id shares with it, or by its items, for its account alone', async () => {
    const { keep, ownedObjects } = await opened()
    const answer = row({ kind: 'response', id: 'resp_1', stem: 'abcdef', items: ' msg_1 a%b ' })
    await keep(answer, row({ kind: 'response', id: 'resp_2', account_id: 2, items: ' msg_2 ' }))
    const find = (account: number, id: string, stem = '') => ownedObjects.findOfItem(account, { id, stem }, 2000)
    expect(await find(1, 'msg_9', 'abcdef')).toEqual(answer)
    expect(await find(1, 'msg_1', 'other')).toEqual(answer)
    expect(await find(1, 'a%b')).toEqual(answer)
    for (const id of ['msg_2', 'msg%', 'msg', 'g_1', '%', '']) expect(await find(1, id), id).toBeUndefined()
    expect(await find(2, 'msg_1', 'abcdef')).toBeUndefined()
  })
})
