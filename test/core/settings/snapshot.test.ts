// Changing settings: all or nothing, live at once, in every process, and secrets go in but never out.
import { expect, test, vi } from 'vitest'
import { declaredSettings, type Settings } from '../../../core/settings/index.ts'
import type { Setting } from '../../../core/settings/setting.ts'
import { createSettingsSnapshot } from '../../../core/settings/snapshot.ts'
import { describeBothDatabases } from '../../support/databases.ts'
import { openMemoryGateway } from '../gateway.ts'

describeBothDatabases('the settings', (open, kind) => {
  test('are the defaults where nothing is stored', async () => {
    const { current } = await createSettingsSnapshot(await open())
    const all = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
    for (const [key, { value }] of all) expect(current()[key as keyof Settings], key).toEqual(value.default)
    expect(Object.isFrozen(current())).toBe(true)
  })

  test('are live when a change resolves', async () => {
    const { current, change } = await createSettingsSnapshot(await open())
    const before = current()
    await change([
      { key: 'RetryTimes', value: '7' },
      { key: 'GroupRatio', value: '{"default": 1, "gold": 0.5}' },
    ])
    expect(current().RetryTimes).toBe(7)
    expect(current().GroupRatio).toEqual({ default: 1, gold: 0.5 })
    // Who works with the old ones keeps them: prices are frozen for a call.
    expect(before.RetryTimes).toBe(2)
  })

  test('survive a restart', async () => {
    const storage = await open()
    await (await createSettingsSnapshot(storage)).change([{ key: 'SystemName', value: 'Dam' }])
    expect((await createSettingsSnapshot(storage)).current().SystemName).toBe('Dam')
  })

  test('one bad value among several changes nothing', async () => {
    const storage = await open()
    const { current, change } = await createSettingsSnapshot(storage)
    const bad = [
      { key: 'SystemName', value: 'Dam' },
      { key: 'GroupRatio', value: '{"default": -1}' },
    ]
    await expect(change(bad)).rejects.toMatchObject({ code: 'setting.invalid', parameters: { key: 'GroupRatio' } })
    await expect(change([...bad.slice(0, 1), { key: 'NoSuch', value: '1' }])).rejects.toMatchObject({
      code: 'setting.unknown',
      parameters: { key: 'NoSuch' },
    })
    expect(current().SystemName).toBe('Weir')
    expect(await storage.settings.all()).toEqual([])
  })

  test('a stored text that is bad, or of no setting, counts as not stored', async () => {
    const storage = await open()
    await storage.settings.save([
      { key: 'RetryTimes', value: 'many', secret: false },
      { key: 'OfAnotherVersion', value: '1', secret: false },
      { key: 'SystemName', value: 'Dam', secret: false },
    ])
    const { current } = await createSettingsSnapshot(storage)
    expect(current()).toMatchObject({ RetryTimes: 2, SystemName: 'Dam' })
    expect(current()).not.toHaveProperty('OfAnotherVersion')
  })

  if (kind === 'postgres') {
    test('a change reaches the other processes', async () => {
      const [one, other] = [await createSettingsSnapshot(await open()), await createSettingsSnapshot(await open())]
      await one.change([{ key: 'RetryTimes', value: '9' }])
      await vi.waitFor(() => expect(other.current().RetryTimes).toBe(9), { timeout: 5000 })
    })
  }
})

test('the settings endpoint lists every setting, and reads back what it was given', async () => {
  const gateway = await openMemoryGateway()
  const root = await gateway.as('root')
  const listed = (await gateway.ask(root, 'settings.list')) as { key: string; value: string; set?: boolean }[]
  expect(listed.map(({ key }) => key).sort()).toEqual(Object.keys(declaredSettings).sort())
  // Everything that is listed may be sent back.
  const options = listed.map(({ key, value }) => ({ key, value }))
  const before = gateway.settings()
  await gateway.ask(root, 'settings.update', { options })
  expect(gateway.settings()).toEqual(before)
  for (const { key, value, set } of listed) {
    const secret = (declaredSettings as Record<string, Setting<unknown>>)[key]?.secret
    expect(set !== undefined, key).toBe(secret === true)
    if (secret) expect(value).toBe('')
  }
  await gateway.close()
})

test('what only the super administrator may change, an administrator may not', async () => {
  const gateway = await openMemoryGateway()
  const [admin, root] = [await gateway.as('admin'), await gateway.as('root')]
  const guarded = Object.entries(declaredSettings as Record<string, Setting<unknown>>).filter(
    ([, { rootOnly, secret }]) => rootOnly || secret,
  )
  expect(guarded.length).toBeGreaterThan(0)
  for (const [key, { value }] of guarded) {
    const change = {
      options: [
        { key: 'SystemName', value: 'Dam' },
        { key, value: value.encode(value.default) },
      ],
    }
    expect(await gateway.refusal(admin, 'settings.update', change), key).toBe('setting.root_only')
    expect(gateway.settings().SystemName).toBe('Weir')
  }
  await gateway.ask(root, 'settings.update', { key: guarded[0]?.[0] ?? '', value: 'https://shop.example' })
  await gateway.ask(admin, 'settings.update', { key: 'SystemName', value: 'Dam' })
  expect(gateway.settings().SystemName).toBe('Dam')
  await gateway.close()
})

test('a change that names nothing, or no setting, is refused', async () => {
  const gateway = await openMemoryGateway()
  const root = await gateway.as('root')
  expect(await gateway.refusal(root, 'settings.update', {})).toBe('request.invalid')
  expect(await gateway.refusal(root, 'settings.update', { options: [] })).toBe('request.invalid')
  expect(await gateway.refusal(root, 'settings.update', { key: 'Nothing', value: '1' })).toBe('setting.unknown')
  expect(await gateway.refusal(root, 'settings.update', { key: 'RetryTimes', value: '1.5' })).toBe('setting.invalid')
  await gateway.close()
})
