// Computations of the console without a browser: money as text, Markdown, phrases.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ChannelSetting } from '../../core/channels/channel.ts'
import { fieldsOfForm } from '../../core/contract/control.ts'
import { formatDollars, formatQuotaText, formatShortNumber } from '../../core/pricing/display.ts'
import { parseCallDetail } from '../../core/calls/detail.ts'
import { PRICE_COMPONENTS } from '../../core/pricing/components.ts'
import { addTexts } from '../../console/data/texts.tsx'
import { formatLineName, formatLinePrice } from '../../console/screens/logs/charge-line.ts'
import { getNumberedName } from '../../console/screens/tokens/form.ts'
import { endsInV1, removeV1Suffix } from '../../core/contract/url.ts'
import { parseSettingMembers, listUndeclared, setSettingMembers } from '../../console/screens/channels/setting-text.ts'
import { markdownToHtml } from '../../console/parts/text/markdown.ts'
import { root, sources } from '../support/sources.ts'
import { readCatalogues } from './catalogues.ts'
import { allPhrases, type Said } from './walk/phrases.ts'

it('writes quota as dollars, or as a short number where the site shows units', () => {
  const money = { quota_per_unit: 500000, display_in_currency: true }
  expect(formatQuotaText(500000, money)).toBe('$1.00')
  expect(formatQuotaText(4321, money, 6)).toBe('$0.008642')
  expect(formatQuotaText(-250000, money)).toBe('-$0.50')
  expect(formatQuotaText(12_345, { ...money, display_in_currency: false })).toBe('12.3k')
})

it('never writes an amount that is there as nothing', () => {
  expect(formatDollars(0.0017)).toBe('$0.001700')
  expect(formatDollars(0)).toBe('$0.00')
})

it('shortens numbers from ten thousand on', () => {
  expect([9999, 10_000, 1_000_000, 2_500_000_000, -20_000].map(formatShortNumber)).toEqual([
    '9999',
    '10.0k',
    '1.0M',
    '2.5B',
    '-20.0k',
  ])
})

it.each(Object.entries(PRICE_COMPONENTS))(
  'says in both languages what %s is and what so many of it cost',
  async (what, { label, unit }) => {
    const { common, logs } = readCatalogues('zh')
    addTexts('zh', { ...common, ...logs })
    expect(formatLineName({ what }, 'en')).toBe(label.en)
    expect(formatLineName({ what, label: '1024x1024' }, 'zh')).toBe(`${label.zh} (1024x1024)`)
    const [many, en, zh] = {
      token: [1_000_000, '1M', '1M'],
      character: [1_000_000, '1M', '1M'],
      second: [1, 's', '秒'],
      piece: [1, 'piece', '个'],
      call: [1, 'call', '次'],
    }[unit] as [number, string, string]
    const price = String(1_250_000 / many)
    expect(formatLinePrice({ what, price }, 500_000, 'en')).toBe(`$2.5000 / ${en}`)
    expect(formatLinePrice({ what, price }, 500_000, 'zh')).toBe(`$2.5000 / ${zh}`)
  },
)

it('names what it does not know as it is written', () => {
  expect(formatLineName({ what: 'smell' }, 'en')).toBe('smell')
})

it('reads a log detail that is damaged as far as it can be read', () => {
  expect(parseCallDetail('nonsense')).toEqual({})
  expect(parseCallDetail('{"frt":"x","group_ratio":2,"lines":[{"what":"input"}]}')).toMatchObject({ group_ratio: 2 })
  expect(parseCallDetail('{"lines":[{"what":"input","count":9,"price":"5","quota":"45"}]}').lines).toEqual([
    { what: 'input', count: 9, price: '5', quota: '45' },
  ])
})

it('keeps the first name of a batch and tells the others apart', () => {
  expect(getNumberedName('batch', 0)).toBe('batch')
  expect(getNumberedName('batch', 1)).toMatch(/^batch-[A-Za-z0-9]{6}$/)
})

it('knows an address that ends in /v1', () => {
  expect(['https://a.test/v1', 'https://a.test/v1/', 'https://a.test/v1beta', 'https://a.test'].map(endsInV1)).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(removeV1Suffix('https://a.test/v1/')).toBe('https://a.test')
})

it('turns the usual Markdown into HTML and leaves code alone', () => {
  expect(markdownToHtml('# Hi\n\nA **b** `*c* <d>`')).toBe(
    '<h1>Hi</h1>\n<p>A <strong>b</strong> <code>*c* &lt;d&gt;</code></p>',
  )
  expect(markdownToHtml('- one\n- two')).toBe('<ul><li>one</li><li>two</li></ul>')
  expect(markdownToHtml('```\na\n\n<b>\n```')).toBe('<pre><code>a\n\n&lt;b&gt;</code></pre>')
})

describe('every phrase of the console and of its fields', async () => {
  const phrases = await allPhrases()
  const told = (wrong: (phrase: Said) => boolean) =>
    phrases.filter(wrong).map(({ at, en, zh }) => `${at}: ${en} | ${zh}`)

  it('is in sentence case, and says what is done by its verb', () => {
    // Names of products and of what the specification calls so.
    const names = /^(Reasoning Effort|Claude Code|Gemini CLI|Codex CLI|Qwen Code)$/
    const titled = ({ en }: Said) => {
      const [, ...rest] = en.split(/\s+/)
      return rest.length > 0 && rest.every((word) => /^[A-Z][a-z]+$/.test(word)) && !names.test(en)
    }
    expect(told(titled)).toEqual([])
    expect(told(({ en }) => /^(Query|Submit|Click here)\b|^(Yes|No)$/i.test(en))).toEqual([])
  })

  it('is filled in with the same in both languages, and each is in its own', () => {
    const filled = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join()
    expect(told(({ en, zh }) => filled(en) !== filled(zh))).toEqual([])
    expect(told(({ en, zh }) => /[\u3400-\u9fff]/.test(en) || (en === '') !== (zh === ''))).toEqual([])
    const sentence = /[A-Za-z]{2,} [a-z]{2,}/
    expect(told(({ en, zh }) => sentence.test(en) && !/[\u3400-\u9fff]/.test(zh.replace(/\{\w+\}/g, '字')))).toEqual([])
  })
})

it('has no words in the markup of a component: all are translated', () => {
  const literal = />\s*([A-Z][a-z]+(?: [a-z]+)*)\s*<\/|(?:aria-label|placeholder|title|label)="([A-Za-z][a-z][^"]*)"/g
  const found = sources
    .filter((file) => /^console\/.*\.tsx$/.test(file) && !/\.parts\.tsx$|^console\/parts-page\//.test(file))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(literal)].map(([all]) => `${file}: ${all.trim()}`),
    )
  expect(found).toEqual([])
})

it('has one font for text and one for code, and numbers of one width', () => {
  const styles = readdirSync(join(root, 'console'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  )
  // A font face names a font, and does not choose it.
  const rules = styles.map((name) =>
    readFileSync(join(root, 'console', name), 'utf8').replaceAll(/@font-face \{[^}]*\}/g, ''),
  )
  const lines = rules.flatMap((text) => [...text.matchAll(/font(?:-family)?:\s*([^;]+);/g)])
  const families = lines
    .map(([, value]) => value!.trim())
    .filter((value) => !/^(inherit|var\(--(mono|font)\)|\d)/.test(value))
  expect(families).toHaveLength(1)
  expect(readFileSync(join(root, 'console/shell/theme.css'), 'utf8')).toMatch(/font-variant-numeric: tabular-nums/)
})

describe("a channel's setting, filled in member by member", () => {
  const form = fieldsOfForm(ChannelSetting)
  const stored = '{"sandbox_delay": 5, "proxy": "socks5://a.test", "bills_cut_streams": false, "force_format": true}'

  it('keeps what nobody declared and what nobody touched, and leaves out what says nothing', () => {
    const proxied = setSettingMembers(stored, { proxy: '', headers: { 'X-Team': 'research' } }, form)
    expect(JSON.parse(proxied)).toEqual({
      ...{ sandbox_delay: 5, bills_cut_streams: false, force_format: true, headers: { 'X-Team': 'research' } },
    })
    const less = setSettingMembers(proxied, { headers: {}, bills_cut_streams: true, force_format: false }, form)
    expect(JSON.parse(less)).toEqual({ sandbox_delay: 5 })
    expect(listUndeclared(less, form)).toEqual(['sandbox_delay'])
    // 0 is no limit, which is not what the site says.
    const limited = setSettingMembers('', { idle_timeout_seconds: 0 }, form)
    expect(JSON.parse(limited)).toEqual({ idle_timeout_seconds: 0 })
    expect(setSettingMembers(limited, { idle_timeout_seconds: undefined }, form)).toBe('')
  })

  it('shows each member with what counts where nothing is said', () => {
    expect(parseSettingMembers('', form)).toMatchObject({
      bills_cut_streams: true,
      proxy: undefined,
      hang_up: undefined,
    })
    expect(parseSettingMembers(stored, form)).toMatchObject({ bills_cut_streams: false, proxy: 'socks5://a.test' })
  })
})
