// Redemption codes.
import { fillTemplate } from '../../../core/errors.ts'
import { REDEMPTION_STATUS, type RedemptionCode } from '../../../core/redemptions/redemption.ts'
import { buildQuestion } from '../../input/flags.ts'
import { buildAmountQuestion, refuseEmptyText } from '../../nouns/questions.ts'
import { formatFieldFlags } from '../../nouns/field-questions.ts'
import { buildCodeQuestions, maskRedemptionCode, redemptionCodeView } from '../../nouns/redemption.ts'
import { words } from '../../texts.ts'
import { appendFlags, declareUiPage, formatFlagWords, listGivenAnswers } from '../page.ts'
import { redemptionForm } from '../../input/forms.built.ts'

const PAGE_SIZE = 100
const isDisabled = ({ status }: RedemptionCode) => status === REDEMPTION_STATUS.disabled
const isUsed = ({ status }: RedemptionCode) => status === REDEMPTION_STATUS.used

export const redemptionsPage = declareUiPage<RedemptionCode>({
  name: 'redemptions',
  title: words('Codes'),
  view: redemptionCodeView,
  empty: words('No codes yet: n makes some.'),
  every_ms: 10_000,
  async load({ client }, filter) {
    const { items, total } = await client.redemptions.search({ keyword: filter, p: 1, page_size: PAGE_SIZE })
    return { rows: items.map(maskRedemptionCode), total }
  },
  actions: [
    {
      key: 'd',
      name: words('disable/enable'),
      unless: (row) => (isUsed(row) ? words('This code has been redeemed.') : undefined),
      sure: (row) =>
        isDisabled(row)
          ? fillTemplate(words('Enable code {id} “{name}”?'), { id: row.id, name: row.name })
          : fillTemplate(words('Disable code {id} “{name}”?'), { id: row.id, name: row.name }),
      command: (row) => ['redemptions', isDisabled(row) ? 'enable' : 'disable', String(row.id)],
    },
    {
      key: 'e',
      name: words('edit'),
      edits: true,
      form: (row, { money }) => buildCodeQuestions(row, money),
      sure: ({ name }) => fillTemplate(words('Save the changes of “{name}”?'), { name }),
      command: ({ id }, _, changed) =>
        appendFlags(['redemptions', 'edit', String(id)], formatFieldFlags(redemptionForm, changed)),
    },
    {
      key: 'n',
      name: words('new'),
      rowless: true,
      once: true,
      form: () => [
        buildQuestion(redemptionForm, 'name', { check: refuseEmptyText }),
        buildAmountQuestion(buildQuestion(redemptionForm, 'quota'), '--quota'),
        buildQuestion(redemptionForm, 'count', { fallback: '1' }),
      ],
      sure: (_, { count = '1', quota = '' }) => fillTemplate(words('Make {count} codes of {quota}?'), { count, quota }),
      command: (_, answers) => ['redemptions', 'create', ...formatFlagWords(listGivenAnswers(answers))],
    },
    {
      key: 'x',
      name: words('delete'),
      sure: ({ id, name }) => fillTemplate(words('Delete code {id} “{name}”?'), { id, name }),
      command: ({ id }) => ['redemptions', 'rm', '--yes', String(id)],
    },
  ],
  id: ({ id }) => id,
  copied: ({ name }) => name,
})
