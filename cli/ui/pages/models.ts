// Models with their prices: source, history, and the effect of a change.
import { fillTemplate, joinList } from '../../../core/errors.ts'
import { DOLLAR_PRICE_NAMES, type DollarPrice } from '../../../core/prices/dollars.ts'
import { formatQuotaAmount } from '../../output/format.ts'
import { asUntranslatedText } from '../../language.ts'
import { listDollarFlags, buildPriceQuestions, parseUsd } from '../../nouns/price-form.ts'
import { modelPriceView, type PriceRow } from '../../nouns/price.ts'
import type { FormAnswers } from '../../parts/form-state.ts'
import { formatFlagWords, listGivenAnswers, declareUiPage, type UiPagePorts } from '../page.ts'
import { words } from '../../texts.ts'

/** Parses the entered prices as numbers. */
const parseDollars = (answers: FormAnswers): DollarPrice =>
  Object.fromEntries(
    DOLLAR_PRICE_NAMES.flatMap((name) => (answers[name] ? [[name, parseUsd(name, answers[name])] as const] : [])),
  )

/**
 * Returns the whole form, because the other prices are stored as ratios to the input and would change with it. A price
 * per call is sent alone.
 */
function buildDollars(row: PriceRow, answers: FormAnswers): DollarPrice {
  const [now, { call, ...then }] = [listDollarFlags(row), parseDollars(answers)]
  return call !== undefined && call !== now.call ? { call } : { ...then, ...(call === undefined ? {} : { call }) }
}

/** Describes the changed and unchanged prices, and the effect on the bills of the last 30 days. */
async function describeEffect(row: PriceRow, answers: FormAnswers, { client, money }: UiPagePorts) {
  const [now, usd] = [listDollarFlags(row), buildDollars(row, answers)]
  const sent = DOLLAR_PRICE_NAMES.filter((name) => usd[name] !== undefined)
  const [unchanged, changed] = [
    sent.filter((name) => usd[name] === now[name]),
    sent.filter((name) => usd[name] !== now[name]),
  ]
  const changes = changed.map((name) => `${name} ${now[name] === undefined ? '–' : `$${now[name]}`} → $${usd[name]}`)
  const unchangedTexts = unchanged.map((name) =>
    fillTemplate(words('{name} stays {price}'), { name, price: `$${now[name]}` }),
  )
  const question = fillTemplate(words('Set {model}: {changes}?'), {
    model: row.model,
    changes: joinList([...changes, ...unchangedTexts]),
  })
  // Without the preview, the question is still asked.
  const found = await client.prices.preview({ changes: [{ model: row.model, usd }] }).catch(() => undefined)
  const bill = found?.data.find(({ model }) => model === row.model)
  if (!bill || bill.calls === 0) return question
  const [was, would] = [formatQuotaAmount(bill.charged, money), formatQuotaAmount(bill.would_charge, money)]
  return fillTemplate(
    words('{question} Its {calls} calls of the last 30 days cost {users} users {was}; it would have been {would}.'),
    { question, calls: bill.calls, users: bill.users, was, would },
  )
}

export const modelsPage = declareUiPage<PriceRow>({
  name: 'models',
  title: words('Models'),
  view: modelPriceView,
  empty: words('No models: a channel that is on serves some.'),
  every_ms: 30_000,
  async load({ client }, filter) {
    const rows = await client.prices.list({ keyword: filter })
    return { rows, total: rows.length }
  },
  actions: [
    {
      key: 'e',
      name: words('edit price'),
      edits: true,
      form: buildPriceQuestions,
      sure: describeEffect,
      command(row, answers, changed) {
        if (Object.keys(listGivenAnswers(changed)).length === 0) return []
        const given = Object.keys(buildDollars(row, answers)).map((name) => [name, answers[name] ?? ''])
        return ['prices', 'set', ...formatFlagWords(Object.fromEntries(given)), '--', row.model]
      },
    },
    {
      key: 'u',
      name: words('unset', { context: 'price' }),
      unless: ({ source }) => (source === 'own' ? undefined : words('It has no separate price.')),
      sure: ({ model }) =>
        fillTemplate(words('Remove the price of {model}? Then the price of its family or the default applies.'), {
          model,
        }),
      command: ({ model }) => ['prices', 'rm', '--yes', '--', model],
    },
    {
      key: 'h',
      name: words('history'),
      command: ({ model }) => ['prices', 'history', '--', model],
    },
    {
      key: 'm',
      name: words('models without a price'),
      rowless: true,
      command: () => ['prices', 'missing'],
    },
    {
      key: 'p',
      name: words('compare with the catalogue'),
      rowless: true,
      command: () => ['prices', 'preview'],
    },
  ],
  id: ({ model }) => model,
  copied: ({ model }) => model,
  async opened(_, { prices }) {
    return prices.map(({ component, label, usd, per, unit }) => [
      asUntranslatedText([component, label].filter(Boolean).join(' ')),
      `$${usd} / ${per === 1 ? '' : `${per.toLocaleString('en-US')} `}${unit}`,
    ])
  },
})
