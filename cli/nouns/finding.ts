// Display of items that need attention.
import type { AttentionFinding } from '../../core/attention/contract.ts'
import { findingRules, type FindingRule } from '../../core/attention/rules.ts'
import { quoteShellWord } from '../../core/contract/command-line.ts'
import { fillTemplate, toWords, type Words } from '../../core/errors.ts'
import { translateStoredFailure } from '../../core/logs/stored-failures.ts'
import { formatQuotaAmount, type MoneyView } from '../output/format.ts'
import { words } from '../texts.ts'
import { count, money, number, text, word, type OutputView } from '../output/view.ts'

const getRule = ({ kind }: AttentionFinding): FindingRule => findingRules[kind]

/** Describes the item by its rule. */
export const describeFinding = (finding: AttentionFinding, money: MoneyView): Words =>
  fillTemplate(getRule(finding).text, {
    ...finding,
    usd: `$${finding.usd.toFixed(2)}`,
    quota: formatQuotaAmount(finding.quota, money),
  })

/** Returns the command that fixes the item, or shows its details. */
export const getRepairCommand = (finding: AttentionFinding): string =>
  fillTemplate(toWords(getRule(finding).repair.command), { id: finding.id, name: quoteShellWord(finding.name) }).en

const SEVERITIES = { error: words('error'), warning: words('warning') }
const TONES = { error: 'bad', warning: 'careful' } as const

export const attentionFindingView: OutputView<AttentionFinding> = {
  severity: word(words('SEVERITY'), 1, SEVERITIES, ({ severity }) => severity, {
    tone: ({ severity }) => TONES[severity],
  }),
  kind: text(words('WHAT', { context: 'finding' }), 1, ({ kind }) => kind, {
    flexible: true,
    identifies: 3,
    shown: (finding, { language, money: how }) => describeFinding(finding, how)[language],
  }),
  reason: text(words('WHY'), 2, ({ reason }) => reason || null, {
    flexible: true,
    below: true,
    shown: ({ reason }, { language }) => translateStoredFailure(reason, language),
  }),
  repair: text(words('WHAT TO DO'), 1, getRepairCommand),
  id: count(words('CHANNEL'), 0, ({ id }) => id || null, { identifies: 1 }),
  name: text(words('NAME'), 0, ({ name }) => name || null, { identifies: 2 }),
  failed: count(words('FAILED', { context: 'finding' }), 0, ({ failed }) => failed),
  tried: count(words('TRIED'), 0, ({ tried }) => tried),
  keys: count(words('DEAD KEYS'), 0, ({ keys }) => keys),
  calls: count(words('CALLS'), 0, ({ calls }) => calls),
  balance: number(words('LEFT AT THE PROVIDER $'), 0, ({ usd }) => usd),
  quota: money(words('LEFT', { context: 'balance' }), 0, ({ quota }) => quota),
  paid: text(words('PAID'), 0, ({ paid }) => paid || null),
  price: text(words('PRICE', { context: 'order' }), 0, ({ price }) => price || null),
}
