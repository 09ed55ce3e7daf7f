// Prices in the settings: what was changed is kept with the change, and nobody overwrites what they have not read.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { declaredSettings, type Settings } from '../../core/settings/index.ts'
import { createSettingsSnapshot, defaultSettings } from '../../core/settings/snapshot.ts'
import { findStoredPrice, setStoredPrices } from '../../core/settings/stored-price.ts'
import type { PriceFields } from '../../core/settings/channel-price.ts'
import type { PriceTierRules } from '../../core/settings/price-tiers.ts'
import type { Setting } from '../../core/settings/setting.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'

const author = { user_id: 1, username: 'root', via: 'local', ip: '', request_id: 'r' }

describeWithOwnGateway('a change of prices', (weir) => {
  it('is in the history, whichever door it came through, and what is no price is not', async () => {
    const { storage } = weir.gateway.ports
    const history = async () =>
      (await storage.settings.priceChanges({ model: '', channel: '' }, { offset: 0, limit: 100 })).items
    const before = (await history()).length
    await weir.set('CacheRatio', { ...weir.gateway.settings().CacheRatio, 'gpt-4o-mini': 0.25 })
    await weir.set('SystemName', 'Prices')
    await weir.set('ToolPrice', { ...weir.gateway.settings().ToolPrice, web_search: 11, 'web_search:gpt-4o-mini': 3 })
    const { ModelRatio, CompletionRatio } = weir.gateway.settings()
    const said = { model_ratio: ModelRatio['gpt-4o-mini'], completion_ratio: CompletionRatio['gpt-4o-mini'] }
    const rows = (await history()).slice(0, -before || undefined)
    expect(rows.map(({ model, source, username }) => [model, source, username])).toEqual([
      ['gpt-4o-mini', 'settings', 'root'],
      ['gpt-4o-mini', 'settings', 'root'],
    ])
    expect(JSON.parse(rows[0]!.after)).toEqual({ ...said, cache_ratio: 0.25, tools: { web_search: 3 } })
    expect(JSON.parse(rows[1]!.before)).toMatchObject(said)
  })

  it('is refused where a setting is not what it was', async () => {
    const { settings } = weir.gateway.ports.storage
    const write = (value: string, was: string | null) =>
      settings.save([{ key: 'Notice', value, secret: false }], { was: new Map([['Notice', was]]) })
    const text = async () => (await settings.all()).find(({ key }) => key === 'Notice')?.value
    await settings.save([{ key: 'Notice', value: null, secret: false }])
    expect(await write('one', 'another')).toBe(false)
    expect(await text()).toBeUndefined()
    // Of several at once one writes, whichever the database takes first.
    const values = ['a', 'b', 'c']
    const isWritten = await Promise.all(values.map((value) => write(value, null)))
    expect(values.filter((_, at) => isWritten[at])).toEqual([await text()])
  })

  it('that is worked out from what is stored loses no other that was made meanwhile', async () => {
    const { storage } = weir.gateway.ports
    await weir.set('ImageRatio', '{}')
    const price = (model: string) => ({ ...{ channel: '', model }, price: { model_ratio: 1, image_ratio: 2 } })
    let interrupted = 0
    const save = storage.settings.save
    // Another process writes between reading and writing, twice.
    storage.settings.save = async (entries, beside) => {
      if (interrupted++ < 2) {
        const rows = setStoredPrices([price(`theirs-${interrupted}`)], weir.gateway.settings())
        await save(rows.map((row) => ({ ...row, secret: false })))
        await storage.announce({ topic: 'settings', id: 0 })
      }
      return save(entries, beside)
    }
    const ours = await createSettingsSnapshot(storage, weir.gateway.ports.clock)
    await ours.change((current) => setStoredPrices([price('ours')], current), author, 'own')
    storage.settings.save = save
    expect(Object.keys(ours.current().ImageRatio).sort()).toEqual(['ours', 'theirs-1', 'theirs-2'])
    const { items } = await storage.audit.list(
      { action: 'price.change', target: 'ours', user_id: 0, start_timestamp: 0, end_timestamp: 0 },
      { offset: 0, limit: 5 },
    )
    expect(items).toMatchObject([{ before: '', after: '{"model_ratio":1,"image_ratio":2}' }])
    await weir.root.client.settings.update({ key: 'ModelRatio', value: null })
  })
})

const ratio = fc.double({ min: 0, max: 1e6, noNaN: true })
const names = fc.constantFrom('gpt-4o', 'a:b', 'x/y', 'constructor', 'new one')
const priceFields: fc.Arbitrary<PriceFields> = fc
  .record(
    {
      ...{ model_ratio: ratio, completion_ratio: ratio, cache_ratio: ratio, create_cache_ratio: ratio },
      ...{ audio_ratio: ratio, audio_completion_ratio: ratio, image_ratio: ratio, audio_input_price: ratio },
      ...{ model_price: ratio, video_price: ratio, tools: fc.dictionary(fc.constantFrom('web_search', 'code'), ratio) },
      image_multipliers: fc.dictionary(fc.constantFrom('hd', '512x512'), ratio),
      tiers: fc.constant<PriceTierRules>({ prompt: [{ above: 10, factor: { input: 2, output: 1.5 } }] }),
    },
    { requiredKeys: [] },
  )
  .map(({ tools, ...fields }) => (tools && Object.keys(tools).length > 0 ? { ...fields, tools } : fields))

it('a price is stored and read to the digit, beside all others', () => {
  const read = (rows: { key: string; value: string }[], before: Settings) =>
    ({
      ...before,
      ...Object.fromEntries(
        rows.map(({ key, value }) => {
          const { value: form } = (declaredSettings as Record<string, Setting<unknown>>)[key]!
          expect(JSON.parse(form.encode(form.schema.parse(value))), key).toEqual(JSON.parse(value))
          return [key, form.schema.parse(value)]
        }),
      ),
    }) as Settings
  fc.assert(
    fc.property(names, priceFields, fc.constantFrom('', '7', 'type:1'), (model, price, channel) => {
      const isEmpty = Object.keys(price).length === 0
      const { model_price: _, ...byUsage } = price
      const given = channel === '' ? price : { model_ratio: 1, ...byUsage }
      const before = defaultSettings()
      const after = read(setStoredPrices([{ channel, model, price: given }], before), before)
      expect(findStoredPrice({ channel, model }, after)).toEqual(isEmpty && channel === '' ? null : given)
      expect(findStoredPrice({ channel: '', model: 'gpt-4.1' }, after)).toEqual(
        findStoredPrice({ channel: '', model: 'gpt-4.1' }, before),
      )
      const gone = read(setStoredPrices([{ channel, model, price: null }], after), after)
      expect(findStoredPrice({ channel, model }, gone)).toBeNull()
    }),
    { seed: 3, numRuns: 60 },
  )
})
