// What the console computes without a browser: money in words, Markdown, dictionaries.
import { expect, it } from 'vitest'
import { dollars, quotaText, shortNumber } from '../../core/pricing/display.ts'
import { detailOf } from '../../core/calls/detail.ts'
import { COMPONENTS } from '../../core/pricing/components.ts'
import { nameOfLine, priceOfLine } from '../../console/screens/logs/charge-line.ts'
import { nameAt } from '../../console/screens/tokens/form.ts'
import { endsInV1, withoutV1 } from '../../console/screens/channels/form.ts'
import { markdownToHtml } from '../../console/parts/markdown.ts'

it('writes quota as dollars, or as a short number where the site shows units', () => {
  const money = { quota_per_unit: 500000, display_in_currency: true }
  expect(quotaText(500000, money)).toBe('$1.00')
  expect(quotaText(4321, money, 6)).toBe('$0.008642')
  expect(quotaText(-250000, money)).toBe('-$0.50')
  expect(quotaText(12_345, { ...money, display_in_currency: false })).toBe('12.3k')
})

it('never writes an amount that is there as nothing', () => {
  expect(dollars(0.0017)).toBe('$0.001700')
  expect(dollars(0)).toBe('$0.00')
})

it('shortens numbers from ten thousand on', () => {
  expect([9999, 10_000, 1_000_000, 2_500_000_000, -20_000].map(shortNumber)).toEqual([
    '9999',
    '10.0k',
    '1.0M',
    '2.5B',
    '-20.0k',
  ])
})

it.each(Object.entries(COMPONENTS))(
  'says in both languages what %s is and what so many of it cost',
  (what, { label, unit }) => {
    expect(nameOfLine({ what }, 'en')).toBe(label.en)
    expect(nameOfLine({ what, label: '1024x1024' }, 'zh')).toBe(`${label.zh} (1024x1024)`)
    const [many, en, zh] = {
      token: [1_000_000, '1M', '1M'],
      character: [1_000_000, '1M', '1M'],
      second: [1, 's', '秒'],
      piece: [1, 'piece', '个'],
      call: [1, 'call', '次'],
    }[unit] as [number, string, string]
    const price = String(1_250_000 / many)
    expect(priceOfLine({ what, price }, 500_000, 'en')).toBe(`$2.5000 / ${en}`)
    expect(priceOfLine({ what, price }, 500_000, 'zh')).toBe(`$2.5000 / ${zh}`)
  },
)

it('names what it does not know as it is written', () => {
  expect(nameOfLine({ what: 'smell' }, 'en')).toBe('smell')
})

it('reads a log detail that is damaged as far as it can be read', () => {
  expect(detailOf('nonsense')).toEqual({})
  expect(detailOf('{"frt":"x","group_ratio":2,"lines":[{"what":"input"}]}')).toMatchObject({ group_ratio: 2 })
  expect(detailOf('{"lines":[{"what":"input","count":9,"price":"5","quota":"45"}]}').lines).toEqual([
    { what: 'input', count: 9, price: '5', quota: '45' },
  ])
})

it('keeps the first name of a batch and tells the others apart', () => {
  expect(nameAt('batch', 0)).toBe('batch')
  expect(nameAt('batch', 1)).toMatch(/^batch-[A-Za-z0-9]{6}$/)
})

it('knows an address that ends in /v1', () => {
  expect(['https://a.test/v1', 'https://a.test/v1/', 'https://a.test/v1beta', 'https://a.test'].map(endsInV1)).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(withoutV1('https://a.test/v1/')).toBe('https://a.test')
})

it('turns the usual Markdown into HTML and leaves code alone', () => {
  expect(markdownToHtml('# Hi\n\nA **b** `*c* <d>`')).toBe(
    '<h1>Hi</h1>\n<p>A <strong>b</strong> <code>*c* &lt;d&gt;</code></p>',
  )
  expect(markdownToHtml('- one\n- two')).toBe('<ul><li>one</li><li>two</li></ul>')
  expect(markdownToHtml('```\na\n\n<b>\n```')).toBe('<pre><code>a\n\n&lt;b&gt;</code></pre>')
})
